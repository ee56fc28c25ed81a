import Linden
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// Pages of an audit log with more entries than one transaction, or one page, reads.
@Suite(.enabled(if: Engine.isSQLite)) struct AuditListTests {
    @Test func aRareEntryIsFoundAmongVeryMany() async throws {
        try await Installation.run { installation in
            try await installation.fill(
                entries: 110_005, where: "CASE WHEN n IN (1, 5001, 60000, 110003) THEN 'app' ELSE 'link' END")
            var filter = AuditFilter()
            filter.noun = "app"
            var (pages, last): ([[Int64]], Int64?) = ([], nil)
            repeat {
                let page = try await installation.services.audit.list(filter, before: last, limit: 2)
                pages.append(page.entries.map(\.position))
                last = page.next
            } while last != nil && pages.count < 9
            #expect(pages == [[110_003, 60_000], [5001, 1]])

            filter.noun = "token"
            let none = try await installation.services.audit.list(filter, limit: 2)
            #expect(none.entries.isEmpty && none.next == 10_006)
            let end = try await installation.services.audit.list(filter, before: none.next, limit: 2)
            #expect(end.entries.isEmpty && end.next == nil)
        }
    }

    @Test func entriesOfARangeOfTimeAreFoundAtOnce() async throws {
        try await Installation.run { installation in
            try await installation.fill(entries: 110_005, where: "'link'")
            var filter = AuditFilter()
            // An entry has its position as its time.
            filter.times = Timestamp(milliseconds: 10)..<Timestamp(milliseconds: 13)
            let found = try await installation.services.audit.list(filter, limit: 2)
            #expect(found.entries.map(\.position) == [12, 11] && found.next == 11)
            let rest = try await installation.services.audit.list(filter, before: found.next, limit: 2)
            #expect(rest.entries.map(\.position) == [10] && rest.next == nil)
            filter.times = Timestamp(milliseconds: 200_000)..<Timestamp(milliseconds: 300_000)
            #expect(try await installation.services.audit.list(filter, limit: 2).entries.isEmpty)
        }
    }

    @Test(
        .enabled(if: Engine.isSQLite),
        arguments: [
            (["link", "7"], nil, nil, "audit_entries_by_subject (noun=? AND subject=? AND position>? AND position<?)"),
            ([], 5, nil, "audit_entries_by_actor (actor_kind=? AND actor_id=? AND position>? AND position<?)"),
            ([], nil, 3, "audit_entries_by_app (app_id=? AND position>? AND position<?)"),
            (["link"], nil, nil, "INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
            ([], nil, nil, "INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        ] as [([String], Int64?, Int64?, String)])
    func aPortionIsReadByItsIndex(row: [String], actor: Int64?, app: Int64?, search: String) async throws {
        try await Installation.run { installation in
            var filter = AuditFilter()
            (filter.noun, filter.subject) = (row.first, row.dropFirst().first)
            if let actor { (filter.actorKind, filter.actorID) = (.token, actor) }
            filter.app = app.map(App.ID.init(rawValue:))
            let plans = try await installation.plans { [filter] recorder in
                _ = try recorder.lastAuditEntry(filter, in: 1..<100, among: 10)
                _ = try recorder.auditEntries(filter, in: 1..<100, limit: 10)
            }
            #expect(plans.count == 2)
            for plan in plans {
                #expect(plan.count == 1 && plan[0].hasSuffix(search), "\(plan)")
            }
        }
    }

    /// An identity may have any number of entries, and the writer is not to be held for long.
    @Test func theDetailsOfAnIdentitysEntriesAreErasedInBatches() async throws {
        try await Installation.run { installation in
            try await installation.fill(entries: 450, where: "'link'")
            try await installation.sql { connection in
                try connection.execute("UPDATE audit_entries SET identity_id = 5, details = '{}', salt = 'x' WHERE position > 10")
            }
            var left: [Int64] = []
            repeat {
                let isDone = try await installation.storage.write { transaction in
                    try (transaction as! SQLTransaction).eraseAuditDetails(of: Identity.ID(rawValue: 5))
                }
                left.append(try await installation.count("SELECT COUNT(*) FROM audit_entries WHERE details IS NOT NULL"))
                if isDone { break }
            } while left.count < 9
            #expect(left == [240, 40, 0])
        }
    }

    @Test(.enabled(if: Engine.isSQLite)) func theEntriesOfAnIdentityOrATimeAreFoundByTheirIndexes() async throws {
        try await Installation.run { installation in
            let plans = try await installation.plans { recorder in
                _ = try recorder.firstAuditEntry(since: recorder.now)
                _ = try recorder.auditEntries(after: 7, limit: 10)
                _ = try recorder.eraseAuditDetails(of: Identity.ID(rawValue: 5))
            }
            #expect(plans.count == 3)
            for (plan, search) in zip(
                plans, ["audit_entries_by_age (created_at>?)", "(rowid>?)", "audit_entries_by_identity (identity_id=?)"])
            {
                #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.hasSuffix(search) }, "\(plan)")
                #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
            }
        }
    }
}

extension Installation {
    /// Adds entries whose hashes are wrong.
    ///
    /// - Parameter noun: an expression of the position, `n`.
    fileprivate func fill(entries: Int, where noun: String) async throws {
        try await sql { connection in
            try connection.execute(
                SQL(
                    text: """
                        INSERT INTO audit_entries (position, created_at, actor_kind, interface, action, noun, change, is_personal,
                            details_hash, hash)
                        WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(entries))
                        SELECT n, n, 'command', 'command', 'linden', \(noun), 'changed', 1, x'', x'' FROM numbers
                        """, values: []))
        }
    }

    /// Returns the steps of each statement's plan.
    fileprivate func plans(_ body: @escaping @Sendable (SQLTransaction) throws -> Void) async throws -> [[String]] {
        try await storage.write { transaction in
            let connection = RecordingConnection((transaction as! SQLTransaction).connection)
            try body(SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now))
            return try connection.recorded.map { sql in
                try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
            }
        }
    }
}
