import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Query plans of rollups and of the rows that they count.
@Suite(.enabled(if: Engine.isSQLite)) struct RollupQueryPlanTests {
    @Test func everyReadOfCountersAndRowsUsesAKey() async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                for log in ActivityLog.allCases {
                    try recorder.activities(in: log, of: nil, from: 1, before: 9, named: nil) { _ in }
                    try recorder.activities(in: log, of: scope, from: 1, before: 9, named: nil) { _ in }
                    try recorder.activities(in: log, of: scope, from: 1, before: 9, named: nil, isDetailed: true) { _ in }
                }
                try recorder.activities(in: .events, of: scope, from: 1, before: 9, named: "PURCHASE") { _ in }
                try recorder.visitRollups(of: scope, .click, by: .channel, .hour, hours: 1..<9) { _ in }
                try recorder.visitDeviceCounts(of: scope, .click, by: .channel, named: false, days: 1..<9) { _ in }
                for log in ActivityLog.allCases {
                    _ = try recorder.firstWithoutDeviceCount(in: log)
                    _ = try recorder.nextRollups(of: log, before: transaction.now, limit: .standard)
                }
                _ = try recorder.rollupChanges(of: scope, .click, hours: 1..<9)
                try recorder.visitRollupValues(of: scope, by: .channel, day: 1) { _ in }
                try recorder.visitRollupCombinations(of: scope, by: .channel, day: 1) { _, _ in }
                _ = try recorder.rollupCount(of: scope, .customEvent, by: .channel, day: 1)
                return try connection.recorded.map { sql in
                    (
                        text: sql.text,
                        steps: try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                    )
                }
            }
            #expect(plans.count > 12)
            for plan in plans {
                #expect(!plan.steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan.text): \(plan.steps)")
            }
            #expect(
                plans.contains {
                    $0.steps.contains { $0.contains("events_by_name (app_id=? AND mode=? AND name=? AND id>? AND id<?)") }
                })
        }
    }

    /// Sums are grouped, which sorts rows, but only those found by the counters' key.
    @Test func sumsReadOnlyTheCountersOfTheirTime() async throws {
        try await Installation.run { installation in
            let plan = try await installation.plans { recorder, scope in
                for named in [true, false] {
                    try recorder.visitRollupSums(of: scope, .click, by: .channel, named: named, .day, hours: 24..<240) { _ in }
                }
            }
            let search = "(app_id=? AND mode=? AND topic=? AND dimension=? AND hours=? AND hour>? AND hour<?)"
            #expect(plan.contains { $0.hasPrefix("SEARCH rollups") && $0.contains(search) }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        }
    }

    /// Funnels, cohorts and lifetime values use covering indexes and read no row of sessions or events.
    @Test func journeysAreReadFromIndexesAlone() async throws {
        try await Installation.run { installation in
            let plan = try await installation.plans { recorder, scope in
                try recorder.installs(of: scope, from: 1, before: 9) { _ in }
                try recorder.openings(of: scope, from: 1, before: 9) { _, _, _ in }
                try recorder.events(named: ["PURCHASE"], of: scope, from: 1, before: 9) { _, _ in }
                try recorder.payments(of: scope, from: 1, before: 9) { _, _, _ in }
            }
            for (step, index) in zip(plan, ["installs_by_scope", "sessions_by_scope", "events_by_name", "events_with_revenue"]) {
                #expect(step.contains("USING COVERING INDEX \(index) (app_id=? AND mode=?"), "\(plan)")
            }
            #expect(plan.count == 4)
        }
    }
}

extension Installation {
    /// Returns the steps of the query plans.
    fileprivate func plans(_ body: @escaping @Sendable (SQLTransaction, Scope) throws -> Void) async throws -> [String] {
        try await storage.write { transaction in
            let connection = RecordingConnection((transaction as! SQLTransaction).connection)
            let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
            try body(recorder, Scope(app: Identifier(rawValue: 1), mode: .live))
            return try connection.recorded.flatMap { sql in
                try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
            }
        }
    }
}
