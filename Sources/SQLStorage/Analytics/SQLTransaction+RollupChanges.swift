import Linden
import LindenKernel
import LindenReporting

/// Changes of rows after they were counted.
extension SQLTransaction {
    /// Counts a row that is about to be deleted, unless it is already counted, so that totals stay.
    func countBeforeDeletion(of id: Int64, in log: ActivityLog) throws {
        var sums = RollupSums(), changes: [AnalyticsRecord] = []
        let isCounted = try id <= rolledUpThrough(log)
        try activities(in: log, of: nil, from: id, before: id + 1, named: nil) { activity in
            if !isCounted { sums.add(activity) }
            changes.append(activity)
        }
        try add(sums)
        if try id > countedThrough(log) { try recordUncountedChange(in: log) }
        for activity in changes { try record(RollupChanges(removed: 1), at: activity) }
    }

    /// Call before the data that identify a click's visitor are erased: the click stays counted under its former values.
    func recordErasure(ofClick id: Int64) throws {
        var erased: [AnalyticsRecord] = []
        try activities(in: .clicks, of: nil, from: id, before: id + 1, named: nil) { erased.append($0) }
        for activity in erased { try record(RollupChanges(moved: 1), at: activity) }
    }

    /// Moves a counted session from the counters of the dimension values it had before `change` to those it has afterwards.
    func recountLabels(of session: Session.ID, while change: () throws -> Void) throws {
        func activity() throws -> AnalyticsRecord? {
            var found: AnalyticsRecord?
            let id = session.rawValue
            try activities(in: .sessions, of: nil, from: id, before: id + 1, named: nil) { found = $0 }
            return found
        }
        let isCounted = try session.rawValue <= rolledUpThrough(.sessions)
        let before = isCounted ? try activity() : nil
        try change()
        if try session.rawValue > countedThrough(.sessions) { try recordUncountedChange(in: .sessions) }
        guard let before, let after = try activity(), let sums = RollupSums(moving: before, to: after) else { return }
        try add(sums)
        try record(RollupChanges(moved: 1), at: after)
    }

    /// Invalidates batches in preparation. Call whenever a row that not all counters include yet changes or is deleted.
    private func recordUncountedChange(in log: ActivityLog) throws {
        try connection.execute(
            """
            INSERT INTO uncounted_changes (log, changes) VALUES (\(log.rawValue), 1)
            ON CONFLICT (log) DO UPDATE SET changes = uncounted_changes.changes + 1
            """)
    }

    /// Returns the number of changes to uncounted rows of a log, see ``CountingState/changes``.
    func uncountedChanges(in log: ActivityLog) throws -> Int64 {
        try connection.first("SELECT changes FROM uncounted_changes WHERE log = \(log.rawValue)") { $0.integer(0) } ?? 0
    }

    private func record(_ changes: RollupChanges, at activity: AnalyticsRecord) throws {
        try connection.execute(
            """
            INSERT INTO rollup_changes (app_id, mode, topic, hour, removed, moved)
            VALUES (\(activity.scope.app), \(activity.scope.mode), \(activity.topic.rawValue), \(activity.hour), \(changes.removed),
                \(changes.moved))
            ON CONFLICT (app_id, mode, topic, hour) DO UPDATE
            SET removed = rollup_changes.removed + excluded.removed, moved = rollup_changes.moved + excluded.moved
            """)
    }
}
