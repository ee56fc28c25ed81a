import Linden
import LindenKernel
import LindenReporting

/// The changes of a transaction to the pending clicks in memory, made once it is durable.
struct PendingClickChanges: Sendable {
    var entries: [PendingClickIndex.Entry] = []
    /// Whether the transaction contains the last part of a merge.
    var endsMerge = false
}

extension SQLTransaction {
    package func beginMergingPendingClicks() throws -> Bool {
        state.pendingClicks?.beginMerge(at: now) ?? false
    }

    package func mergePendingClicks(from position: Int, limit: Int) throws -> Int? {
        guard let index = state.pendingClicks, let merge = index.currentMerge else { return nil }
        let limit = index.isCrowded ? limit * Self.crowdedFactor : limit
        let entries = index.entries(from: position, limit: limit)
        try write(entries)
        guard entries.count < limit else { return position + limit }
        // Without entries the cursor comes from the clock, which may be wrong; the log's ids are not.
        let cursor = merge.isEmpty ? min(merge.cursor, try lastRow(of: .clicks) ?? 0) : merge.cursor
        try setCursor(.pendingClicks, .clicks, through: max(cursor, try self.cursor(.pendingClicks, .clicks)))
        pending.endsMerge = true
        return nil
    }

    /// How many times as many entries are written in a transaction if memory is half full. Clicks then wait longer for the writer, but are
    /// not refused.
    private static let crowdedFactor = 4

    /// Returns the number of new rows.
    @discardableResult
    private func write(_ entries: some Sequence<PendingClickIndex.Entry>) throws -> Int {
        try entries.reduce(0) { count, entry in
            // From the log, so that a click erased since then leaves no row.
            try count
                + connection.changedRows(by: Self.mergePendingClick) { row in
                    row.bind(entry.key.rawValue)
                    row.bind(entry.expiresAt.milliseconds)
                    row.bind(entry.click.rawValue)
                }
        }
    }

    private static let mergePendingClick = StaticSQL(
        """
        INSERT INTO pending_clicks (match_key, click_id, expires_at)
        SELECT $1, id, $2 FROM clicks WHERE id = $3 AND match_seconds IS NOT NULL
        ON CONFLICT (match_key, click_id) DO NOTHING
        """)

    /// Reads the pending clicks that were not merged before the last server ended: into memory up to half of its limit; more are merged
    /// at once. Called in a transaction before the storage is used.
    package func recoverPendingClicks() throws {
        guard let index = state.pendingClicks else { return }
        var cursor = try firstUnmerged()
        let limit = max(1, index.limit / 2)
        var entries = try unmergedClicks(after: cursor, limit: limit)
        while let last = entries.last, entries.count == limit {
            cursor = last.click.rawValue
            try write(entries.sorted { ($0.key, $0.click) < ($1.key, $1.click) })
            try setCursor(.pendingClicks, .clicks, through: cursor)
            entries = try unmergedClicks(after: cursor, limit: limit)
        }
        index.recover(entries, after: cursor)
    }

    /// Merges the pending clicks that are in a server's memory, or were in that of the last one, from the log. For a copy of its database.
    /// Returns the number of new rows.
    func mergeUnmergedClicks() throws -> Int {
        var entries = try unmergedClicks(after: firstUnmerged(), limit: Self.copiedRun)
        var count = 0
        while let last = entries.last {
            count += try write(entries.sorted { ($0.key, $0.click) < ($1.key, $1.click) })
            entries = try unmergedClicks(after: last.click.rawValue, limit: Self.copiedRun)
        }
        return count
    }

    /// The number of entries of a copy that are in memory together.
    private static let copiedRun = 200_000

    /// Moves the cursor to the end of the log, once all pending clicks have their rows: the next server reads no earlier click.
    func endRecoveryOfPendingClicks() throws {
        try setCursor(.pendingClicks, .clicks, through: max(lastRow(of: .clicks) ?? 0, cursor(.pendingClicks, .clicks)))
    }

    /// The id after which clicks may have no row yet. Earlier ones are merged, or too old to match.
    private func firstUnmerged() throws -> Int64 {
        try max(cursor(.pendingClicks, .clicks), IDGenerator.first(at: now - PendingClick.claimPeriod))
    }

    /// How much the clock of a starting machine may be fast. Clicks that seem expired by less than that are kept until they are merged.
    private static let clockTolerance: Duration = .seconds(86_400)

    /// Reads the clicks after a cursor that an install can still match, from the log.
    private func unmergedClicks(after cursor: Int64, limit: Int) throws -> [PendingClickIndex.Entry] {
        var entries: [PendingClickIndex.Entry] = []
        try connection.read(
            """
            SELECT id, app_id, mode, address, os, COALESCE(os_version, ''), match_seconds FROM clicks
            WHERE id > \(cursor) AND match_seconds IS NOT NULL ORDER BY id
            """
        ) { row in
            let click: Click.ID = row.id(0)
            let expiresAt = click.time + .seconds(row.integer(6))
            if expiresAt + PendingClick.explanationPeriod + Self.clockTolerance > now {
                let key = MatchKey(Fingerprint(scope: row.scope(1), address: row.text(3), os: row.text(4), osVersion: row.text(5)))
                entries.append(PendingClickIndex.Entry(key: key, click: click, expiresAt: expiresAt))
            }
            return entries.count < limit
        }
        return entries
    }
}
