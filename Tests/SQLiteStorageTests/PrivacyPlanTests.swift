import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

@Suite(.enabled(if: Engine.isSQLite)) struct PrivacyPlanTests {
    /// An address stored in several forms is looked up once per form, by the table's key.
    @Test func eachFormOfAnAddressIsOneLookUpByItsIndex() async throws {
        try await Installation.run { installation in
            let plans = try await installation.plans { recorder in
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                let forms = ["20834:a", "20833:b"]
                for form in forms {
                    _ = try recorder.pendingClicks(
                        Fingerprint(scope: scope, address: form, os: "iOS", osVersion: "17.5"), limit: 16)
                }
                _ = try recorder.density(of: forms, in: scope, since: recorder.now, besides: nil, limit: 64)
                _ = try recorder.strongMatch(["h"], from: forms, in: scope, at: recorder.now)
                try recorder.deleteStrongMatches(["h"], from: forms, in: scope)
            }
            #expect(plans.count == 10)
            for plan in plans {
                #expect(
                    plan.steps.contains {
                        $0.hasPrefix("SEARCH") && !$0.contains("rowid") && ($0.contains("address=?") || $0.contains("match_key"))
                    },
                    "\(plan)")
                #expect(!plan.steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
            }
        }
    }

    /// Erasure reads tables page by page and writes row by row, so that it does not block other writers.
    @Test func aPersonIsReadByPagesAndErasedByKeys() async throws {
        try await Installation.run { installation in
            let plans = try await installation.plans { recorder in
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                let device = Device.ID(rawValue: 4)
                let reported = DeviceDescription(hardwareID: "h", advertisingID: "A")
                try recorder.insert(App(id: scope.app, name: "Orchard", configuration: AppConfiguration(), createdAt: recorder.now))
                try recorder.insert(
                    Device(id: device, scope: scope, identity: Identity.ID(rawValue: 5), description: reported), at: recorder.now)
                for table in PersonalTable.allCases {
                    _ = try recorder.rows(of: table, in: scope, after: 0, limit: 10)
                    try recorder.erase(table, [device.rawValue])
                }
                _ = try recorder.requests(of: scope, after: "", limit: 10)
                try recorder.eraseRequests(["k"], in: scope)
                _ = try recorder.browsersBesideApps(of: scope, after: nil, limit: 10)
                _ = try recorder.deviceAddresses(of: scope, after: nil, limit: 10)
                try recorder.erase(browsers: [device], in: scope)
                try recorder.erase([DeviceAddress(address: "20833:b", device: device)], in: scope)
                _ = try recorder.deviceClicks(of: scope, after: nil, limit: 10)
                try recorder.eraseDeviceClicks([DeviceClick(key: "k", click: Click.ID(rawValue: 6))], in: scope)
                let (user, other) = (Identity.ID(rawValue: 5), Identity.ID(rawValue: 7))
                _ = try recorder.erase(user, clearingAtMost: 50)
                try recorder.forgetReferrer(of: user)
                try recorder.forgetParty(of: HeldReward.ID(rawValue: 8))
                _ = try recorder.creditAccounts(of: user)
                _ = try recorder.creditTransactions(of: CreditAccount.ID(rawValue: 9), after: nil, limit: 10)
                _ = try recorder.uniquenessKeys(of: scope, after: "", limit: 10)
                try recorder.replaceCause(of: CreditTransaction.ID(rawValue: 10), by: CreditCause(.rule))
                try recorder.eraseUniquenessKeys(["k"], in: scope)
                try recorder.moveCreditAccounts(of: user, to: other)
                try recorder.eraseRewardCounts(of: user)
                _ = try recorder.queuedSubjectRequests(in: scope.app)
                _ = try recorder.completedSubjectRequests(of: scope, after: nil, limit: 10)
                _ = try recorder.hasSubjectRequests(doneBefore: recorder.now)
                try recorder.forgetSubjects(doneBefore: recorder.now, limit: 10)
                _ = try recorder.queuedExportJobs(in: scope.app)
            }
            #expect(plans.count > 40)
            for plan in plans where !plan.text.hasPrefix("INSERT") {
                #expect(!plan.steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
            }
        }
    }

    /// A token that may read an app can ask for its users at any rate, however many rows the app has.
    @Test func anIdentityIsCountedByIndexesAlone() async throws {
        try await Installation.run { installation in
            let plans = try await installation.plans { recorder in
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                _ = try recorder.summary(of: Identity(id: Identity.ID(rawValue: 5), scope: scope, developerIdentity: "ann"))
            }
            #expect(plans.count == 4)
            for plan in plans {
                let ofTables = plan.steps.filter { $0 != "SCAN counted" }
                #expect(!ofTables.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE FOR ORDER") }, "\(plan)")
            }
        }
    }

    /// The click path reads an address key from the database only once a day.
    @Test func aClickNeedsNoStatementForItsKey() async throws {
        try await Installation.run { installation in
            let book = installation.services.addresses
            for _ in 1...2 { _ = try await book.written(ClientAddress("203.0.113.7")!) }
            try await installation.sql { try $0.execute(script: "ALTER TABLE address_keys RENAME TO hidden_keys") }
            let again = try await book.written(ClientAddress("203.0.113.7")!, for: .seconds(7200))
            #expect(!again.isEmpty)
            try await installation.sql { try $0.execute(script: "ALTER TABLE hidden_keys RENAME TO address_keys") }
        }
    }
}

extension Installation {
    /// Returns the executed statements with their query plans.
    fileprivate func plans(
        _ body: @escaping @Sendable (SQLTransaction) throws -> Void
    ) async throws -> [(text: String, steps: [String])] {
        try await storage.write { transaction in
            let connection = RecordingConnection((transaction as! SQLTransaction).connection)
            try body(SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now))
            return try connection.recorded.map { sql in
                (
                    text: sql.text,
                    steps: try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                )
            }
        }
    }
}
