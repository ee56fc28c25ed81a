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

/// Query plans: statements that run for every click, link and session find their rows by a key.
@Suite(.enabled(if: Engine.isSQLite)) struct QueryPlanTests {
    @Test func noHotStatementScansOrSorts() async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                try HotStatements.run(
                    SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now))
                return try connection.recorded.map { sql in
                    (
                        text: sql.text,
                        steps: try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                    )
                }
            }
            #expect(plans.count > 20)
            for plan in plans {
                #expect(!plan.steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan.text): \(plan.steps)")
            }
        }
    }

    /// Expired rows are found by the index of their expiry. A delete by primary key would scan all rows of an app for each batch.
    @Test func whatHasExpiredIsFoundByItsTime() async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                try recorder.deleteRequests(before: transaction.now, limit: 10)
                try recorder.deleteExpiredStrongMatches(at: transaction.now, limit: 10)
                try recorder.deleteDeviceAddresses(before: transaction.now, limit: 10)
                try recorder.deleteTokenExchanges(before: transaction.now, limit: 10)
                try recorder.deleteRewardSources(before: transaction.now.day, limit: 10)
                try recorder.deleteExpiredPendingClicks(at: transaction.now, limit: 10)
                try recorder.insert(
                    Click.ID(rawValue: 6), namingDevice: "k", in: Scope(app: App.ID(rawValue: 1), mode: .live),
                    expiresAt: transaction.now)
                try recorder.deleteExpiredDeviceClicks(at: transaction.now, limit: 10)
                return try connection.recorded.map { sql in
                    try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                }
            }
            #expect(plans.count == 9)
            #expect(plans[4].contains { $0.contains("reward_sources_by_day") } && plans[4].count == 1, "\(plans[4])")
            // These by their number, since visits choose when they expire.
            #expect(plans[5].contains { $0.contains("pending_clicks_by_expiry") }, "\(plans[5])")
            #expect(plans[5].contains { $0.contains("match_key=? AND click_id=?") }, "\(plans[5])")
            #expect(plans[7].contains { $0.contains("device_clicks_by_expiry") } && plans[7].count == 1, "\(plans[7])")
            #expect(plans[8].contains { $0.contains("device_key=? AND click_id=?") }, "\(plans[8])")
            for (plan, index) in zip(
                plans,
                [
                    "requests_by_age", "strong_matches_by_expiry", "device_addresses_by_age",
                    "INTEGER PRIMARY KEY",
                ])
            {
                #expect(plan.filter { $0.contains(index) }.count == 2, "\(plan)")
                #expect(!plan.contains { $0.contains("autoindex") }, "\(plan)")
            }
        }
    }

    /// A page of an export reads only its own range of ids, however long the log is.
    @Test(arguments: ExportTopic.allCases)
    func aPageOfAnExportIsReadByTheRangeOfItsIDs(topic: ExportTopic) async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                _ = try recorder.exportRows(
                    of: topic, .all, in: Scope(app: Identifier(rawValue: 1), mode: .live), after: 1, through: 1000,
                    limit: ExportPageLimit(rows: 10))
                return try connection.recorded.map { sql in
                    try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                }
            }
            for plan in plans {
                let first = try #require(plan.first)
                #expect(first.hasPrefix("SEARCH"), "\(plan)")
                #expect(first.hasSuffix("rowid>? AND rowid<?)") || first.hasSuffix("id>? AND id<?)"), "\(plan)")
                #expect(!plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
            }
        }
    }

    /// Each look-up of a matcher, an explanation or a replay uses the index made for it.
    @Test(arguments: AttributionLookup.all)
    func whatAttributionLooksUpIsFoundByItsIndex(lookup: AttributionLookup) async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                try lookup.run(SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now))
                return try connection.recorded.map { sql in
                    try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                }
            }
            let steps = plans.flatMap { $0 }
            for search in lookup.searches { #expect(steps.contains { $0.hasPrefix("SEARCH \(search)") }, "\(steps)") }
            #expect(!steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(steps)")
        }
    }

    /// Public requests, whatever the amount of data: sitemaps, and the apps that share the base URL's host.
    @Test func sitemapsAndSharedHostsAreReadByTheirIndexes() async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
                _ = try recorder.objects(of: scope, before: nil, limit: 10)
                _ = try recorder.authenticatedObjects(of: scope, before: nil, limit: 10)
                _ = try recorder.openLink(about: UniversalObject.ID(rawValue: 7), on: "go.example.com", before: nil)
                _ = try recorder.appsWithoutDomain(.live)
                _ = try recorder.domains(of: scope)
                return try connection.recorded.map { sql in
                    try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                }
            }
            let indexes = [
                "universal_objects_by_app", "authenticated_universal_objects", "authenticated_links_by_object", "domains_by_app",
                "domains_by_app",
            ]
            #expect(plans.count == indexes.count)
            for (plan, index) in zip(plans, indexes) {
                #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.contains(index) }, "\(plan)")
                #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") && $0 != "SCAN apps" }, "\(plan)")
            }
        }
    }

    /// There may be many clicks that no aggregate has counted, so they are read once, however many objects are listed.
    @Test func clicksThatAreNotCountedYetAreReadOnceForAllContent() async throws {
        try await Installation.run { installation in
            let recorded = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                let objects = (1...9).map { UniversalObject.ID(rawValue: $0) }
                let statistics = try recorder.statistics(of: objects, on: ObjectService.always)
                #expect(statistics.count == objects.count)
                return connection.recorded.map(\.text)
            }
            #expect(recorded.filter { $0.contains("FROM clicks") }.count == 1)
        }
    }

    /// A page of a user's credits reads the first entries of each account, however many there are. Only these are sorted.
    @Test(arguments: [CreditHistoryQuery.Direction.newestFirst, .oldestFirst])
    func aPageOfCreditsIsReadByTheIndexOfTheUsersAccounts(direction: CreditHistoryQuery.Direction) async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                _ = try recorder.creditHistory(CreditHistoryQuery(length: 1, direction: direction), of: Identity.ID(rawValue: 5))
                return try connection.recorded.map { sql in
                    try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                }
            }
            #expect(plans.count == 1)
            let plan = try #require(plans.first)
            let range = "SEARCH credit_entries USING COVERING INDEX credit_entries_by_account (account_id=? AND transaction_id"
            #expect(plan.filter { $0.hasPrefix(range) }.count == 2, "\(plan)")
            #expect(plan.filter { $0.hasPrefix("SCAN") } == ["SCAN last", "SCAN firsts", "SCAN page"], "\(plan)")
            #expect(plan.filter { $0.contains("TEMP B-TREE") }.count == 2, "\(plan)")
        }
    }

    /// Checks of referrals look up few devices, however many are at an address or have an id.
    @Test func aReferrersDevicesAreFoundByTheirKeysAndNotByAllAtAnAddress() async throws {
        try await Installation.run { installation in
            let scope = try await installation.createApp().live.key.scope
            let plans = try await installation.storage.write { transaction in
                let user = Identity.ID(rawValue: 5)
                try transaction.insert(Identity(id: user, scope: scope, developerIdentity: "ann"), at: transaction.now)
                var description = DeviceDescription()
                (description.hardwareID, description.advertisingID) = ("h", "a")
                let device = Device(id: Device.ID(rawValue: 4), scope: scope, identity: user, description: description)
                try transaction.insert(device, at: transaction.now)
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let recorder = SQLTransaction(connection: connection, state: SQLState(owner: "test"), now: transaction.now)
                let other = Identity.ID(rawValue: 6)
                _ = try recorder.isSamePhone(device.id, asOneOf: other)
                _ = try recorder.wasAt("203.0.113.7", other, in: scope, since: transaction.now)
                return try connection.recorded.map { sql in
                    (
                        text: sql.text,
                        steps: try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                    )
                }
            }
            #expect(plans.filter { $0.text.contains("LIMIT 100") }.count == 5)
            // Anybody can report an id for any number of browsers, which a search for apps must not read.
            let steps: [String] = plans.flatMap { $0.steps }
            let byID = steps.filter { $0.contains("hardware_id=?") || $0.contains("advertising_id=?") }
            #expect(byID.count == 2 && byID.allSatisfy { $0.contains("is_browser=?") }, "\(byID)")
            for plan in plans {
                #expect(!plan.steps.contains { $0.hasPrefix("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
            }
        }
    }

    /// Long texts are in the string dictionary; once they are cached there, a click is one statement.
    @Test func aClickWhoseTextsAreKnownIsOneStatement() async throws {
        try await Installation.run { installation in
            let recorded = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                let state = SQLState(owner: "test")
                func insertClick() throws {
                    let transaction = SQLTransaction(connection: connection, state: state, now: transaction.now)
                    try transaction.insert(
                        Click(
                            id: try transaction.newID(), link: Link.ID(rawValue: 2),
                            scope: Scope(app: Identifier(rawValue: 1), mode: .live),
                            visitor: Visitor(platform: .android, model: "Pixel 8", country: "DE"), address: "203.0.113.7",
                            userAgent: "Browser/1", referrer: "https://news.example/", referrerHost: "news.example", query: "a=b",
                            action: .app, reason: .app))
                    transaction.didCommit()
                }
                try insertClick()
                let first = connection.recorded.count
                try insertClick()
                return connection.recorded.dropFirst(first).map(\.text)
            }
            #expect(recorded.count == 1)
            #expect(recorded.first?.hasPrefix("INSERT INTO clicks") == true)
        }
    }
}
