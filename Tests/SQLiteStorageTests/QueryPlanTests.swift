import Linden
import LindenTesting
import LinkRouting
import SQLStorage
import SQLiteStorage
import Testing

/// Query plans: statements that run for every click, link and session find their rows by a key.
@Suite struct QueryPlanTests {
    @Test func noHotStatementScansOrSorts() async throws {
        try await Installation.run { installation in
            let plans = try await installation.storage.write { transaction in
                let connection = RecordingConnection((transaction as! SQLTransaction).connection)
                try Self.runHotStatements(
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
                try recorder.deleteExpiredOpenClicks(at: transaction.now, limit: 10)
                try recorder.deleteExpiredStrongMatches(at: transaction.now, limit: 10)
                try recorder.deleteDeviceAddresses(before: transaction.now, limit: 10)
                try recorder.deleteTokenExchanges(before: transaction.now, limit: 10)
                return try connection.recorded.map { sql in
                    try connection.query(SQL(text: "EXPLAIN QUERY PLAN " + sql.text, values: sql.values)) { $0.text(3) }
                }
            }
            #expect(plans.count == 5)
            for (plan, index) in zip(
                plans,
                [
                    "requests_by_age", "open_clicks_by_expiry", "strong_matches_by_expiry", "device_addresses_by_age",
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

    /// Checks of referrals look up few devices, however many are at an address or have an id.
    @Test func aReferrersDevicesAreFoundByTheirKeysAndNotByAllAtAnAddress() async throws {
        try await Installation.run { installation in
            let scope = try await installation.createApp().live.key.scope
            let plans = try await installation.storage.write { transaction in
                let user = Identity.ID(rawValue: 5)
                _ = try transaction.insert(Identity(id: user, scope: scope, developerIdentity: "ann"), at: transaction.now)
                var description = DeviceDescription()
                (description.hardwareID, description.advertisingID) = ("h", "a")
                let device = Device(id: Device.ID(rawValue: 4), scope: scope, identity: user, description: description)
                _ = try transaction.insert(device, at: transaction.now)
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

    private static func runHotStatements(_ transaction: SQLTransaction) throws {
        let scope = Scope(app: Identifier(rawValue: 1), mode: .live)
        let seen = Fingerprint(scope: scope, address: "203.0.113.7", os: "iOS", osVersion: "17.5")
        let click = Click.ID(rawValue: 3)
        _ = try transaction.app(scope.app)
        _ = try transaction.appKey("key_live_x")
        _ = try transaction.domain("go.example.com")
        _ = try transaction.domains(of: scope)
        _ = try transaction.deleteDomain("go.example.com")
        try transaction.deleteDomains(of: scope.app)
        _ = try transaction.routes(of: scope.app)
        _ = try transaction.token(hash: [1])
        _ = try transaction.link(Link.ID(rawValue: 2))
        _ = try transaction.link(at: LinkAddress(host: "", path: "pears"))
        _ = try transaction.links(of: scope, before: nil, limit: 10)
        _ = try transaction.object("pear/1", in: scope)
        _ = try transaction.objectID("pear/1", in: scope)
        _ = try transaction.objects(of: scope, before: nil, limit: 10)
        try transaction.count(ObjectStatistics(), of: UniversalObject.ID(rawValue: 7), on: 20_000)
        _ = try transaction.rate(of: .standard, on: 20_000)
        _ = try transaction.claim(
            TransactionClaim(transaction: "order-1", name: "PURCHASE", claimant: 5, isAuthenticated: true, revenue: nil),
            for: Event.ID(rawValue: 8), in: scope)
        try transaction.count(.revenueMalformed, of: .purchase, in: scope)
        _ = try transaction.openLink(about: UniversalObject.ID(rawValue: 7), on: "go.example.com", before: nil)
        try transaction.deleteLink(Link.ID(rawValue: 2), at: transaction.now)
        _ = try transaction.click(click)
        _ = try transaction.openClicks(seen, limit: 16)
        _ = try transaction.claim(click, seen)
        _ = try transaction.hasExpiredOpenClicks(at: transaction.now)
        _ = try transaction.density(of: [seen.address], in: scope, since: transaction.now, besides: nil, limit: 64)
        try transaction.note(
            device: Device.ID(rawValue: 4), DeviceDescription(), from: seen.address, in: scope, time: transaction.now)
        _ = try transaction.hasDeviceAddresses(before: transaction.now)
        _ = try transaction.appleAttributionToken(of: Device.ID(rawValue: 4))
        try transaction.setAppleAttributionToken("t", of: Device.ID(rawValue: 4))
        _ = try transaction.rowMade(by: "k", in: scope, since: transaction.now)
        _ = try transaction.hasRequests(before: transaction.now)
        _ = try transaction.firstSessionData(of: Identity.ID(rawValue: 5))
        _ = try transaction.device(Device.ID(rawValue: 4))
        _ = try transaction.device(hardwareID: "h", in: scope)
        _ = try transaction.device(advertisingID: "a", in: scope)
        _ = try transaction.device(of: Identity.ID(rawValue: 5))
        _ = try transaction.lastTouch(device: Device.ID(rawValue: 4), identity: Identity.ID(rawValue: 5))
        try transaction.setLastTouch(click, device: Device.ID(rawValue: 4), identity: Identity.ID(rawValue: 5))
        _ = try transaction.hasApp(Device.ID(rawValue: 4), in: scope)
        _ = try transaction.strongMatch(["h"], from: ["203.0.113.7"], in: scope, at: transaction.now)
        try transaction.deleteStrongMatches(["h"], from: ["203.0.113.7"], in: scope)
        _ = try transaction.hasExpiredStrongMatches(at: transaction.now)
        _ = try transaction.identity(Identity.ID(rawValue: 5))
        _ = try transaction.identity("ann", in: scope)
        _ = try transaction.session(Session.ID(rawValue: 6))
        try transaction.closeSession(Session.ID(rawValue: 6), in: scope, at: transaction.now)
        let session = Session(
            id: Session.ID(rawValue: 6), scope: scope, device: Device.ID(rawValue: 4), identity: Identity.ID(rawValue: 5),
            kind: .open, link: Link.ID(rawValue: 2), click: click, data: [:], explanation: [:])
        try transaction.redecide(session, as: session)
        try transaction.replaceLastTouch(click, ofDevice: session.device)
        try transaction.replaceLastTouch(click, ofIdentity: session.identity)
        try transaction.replaceFirstSessionData([:], of: session.identity)
        _ = try transaction.statistics(of: Link.ID(rawValue: 2))
        _ = try transaction.hasUncountedRows(before: transaction.now)
        try runHotCreditStatements(transaction, scope)
    }

    /// The credit statements of every session, event and redemption.
    private static func runHotCreditStatements(_ transaction: SQLTransaction, _ scope: Scope) throws {
        let (user, device, account) = (Identity.ID(rawValue: 5), Device.ID(rawValue: 4), CreditAccount.ID(rawValue: 7))
        _ = try transaction.rewardRules(for: EventName("install"), in: scope)
        _ = try transaction.rewards(by: RewardRule.ID(rawValue: 8), to: user, on: 1)
        _ = try transaction.referrer(into: Session.ID(rawValue: 6))
        _ = try transaction.lastReferral(of: user)
        try transaction.addRewardCounts(of: user, to: Identity.ID(rawValue: 8))
        _ = try transaction.wasUsed(device, by: user)
        _ = try transaction.isSamePhone(device, asOneOf: user)
        _ = try transaction.wasAt("203.0.113.7", user, in: scope, since: transaction.now)
        _ = try transaction.referralCode("ANN7K", in: scope)
        _ = try transaction.creditClaim("key 1", in: scope)
        _ = try transaction.creditBalances(of: user)
        _ = try transaction.creditBalance(of: user, in: .standard)
        _ = try transaction.hasBucket(.standard, in: scope)
        _ = try transaction.changeCreditBalance(of: account, by: -1)
        _ = try transaction.creditRecord(of: CreditTransaction.ID(rawValue: 9), for: user)
        _ = try transaction.expiredCredits(of: account, at: transaction.now, limit: 10)
        let entry = CreditEntry(
            transaction: CreditTransaction.ID(rawValue: 9),
            account: CreditAccount(id: account, owner: .user(user), bucket: .standard),
            amount: -1, balanceAfter: 0)
        try transaction.spendExpiringCredits(of: entry, first: CreditTransaction.ID(rawValue: 10))
        try transaction.restoreExpiringCredits(to: entry, takenBy: CreditTransaction.ID(rawValue: 9))
        _ = try transaction.end(of: CreditTransaction.ID(rawValue: 9), on: account)
        _ = try transaction.suspicions(against: device)
        _ = try transaction.newDevices(at: "203.0.113.7", in: scope, since: transaction.now, limit: 10)
        _ = try transaction.newDevices(model: "Pixel 8", in: scope, since: transaction.now, limit: 10)
        _ = try transaction.heldRewards(of: scope, HeldRewardFilter(), after: nil, limit: 10)
        _ = try transaction.heldRewards(
            of: scope,
            HeldRewardFilter(rule: RewardRule.ID(rawValue: 1), addresses: ["a"], networks: ["n"], since: transaction.now),
            after: HeldReward.ID(rawValue: 1), limit: 10)
        _ = try transaction.droppedRewards(of: scope, since: 1)
    }
}

struct AttributionLookup: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The prefixes of the plan's steps.
    let searches: [String]
    let run: @Sendable (SQLTransaction) throws -> Void

    init(_ name: String, _ searches: String..., run: @escaping @Sendable (SQLTransaction) throws -> Void) {
        testDescription = name
        self.searches = searches
        self.run = run
    }

    private static let scope = Scope(app: Identifier(rawValue: 1), mode: .live)

    static let all: [AttributionLookup] = [
        .init("a click by its id", "clicks USING INTEGER PRIMARY KEY") { _ = try $0.click(Click.ID(rawValue: 3)) },
        .init("a link by its id", "links USING INTEGER PRIMARY KEY") { _ = try $0.link(Link.ID(rawValue: 3)) },
        .init("a link's status by its id", "links USING INTEGER PRIMARY KEY") { _ = try $0.linkStatus(Link.ID(rawValue: 3)) },
        .init(
            "open clicks that look alike",
            "open_clicks USING INDEX sqlite_autoindex_open_clicks_1 (app_id=? AND mode=? AND address=? AND os=? AND os_version=?)"
        ) {
            _ = try $0.openClicks(Fingerprint(scope: scope, address: "203.0.113.7", os: "iOS", osVersion: "17.5"), limit: 16)
        },
        .init(
            "taking an open click",
            "open_clicks USING INDEX sqlite_autoindex_open_clicks_1 (app_id=? AND mode=? AND address=? AND os=? AND os_version=? AND click_id=?)"
        ) {
            _ = try $0.claim(
                Click.ID(rawValue: 3), Fingerprint(scope: scope, address: "203.0.113.7", os: "iOS", osVersion: "17.5"))
        },
        .init(
            "a click that named the device",
            "device_clicks USING INDEX sqlite_autoindex_device_clicks_1 (app_id=? AND mode=? AND device_key=?)"
        ) { _ = try $0.click(namingDevice: "a", in: scope) },
        .init(
            "the click that a browser reported",
            "strong_matches USING INDEX sqlite_autoindex_strong_matches_1 (app_id=? AND mode=? AND device_key=? AND address=?)"
        ) { _ = try $0.strongMatch(["h"], from: ["203.0.113.7"], in: scope, at: $0.now) },
        .init(
            "the density behind an address",
            "open_clicks USING INDEX sqlite_autoindex_open_clicks_1 (app_id=? AND mode=? AND address=?)",
            "clicks USING INTEGER PRIMARY KEY",
            "device_addresses USING INDEX sqlite_autoindex_device_addresses_1 (app_id=? AND mode=? AND address=?)"
        ) { _ = try $0.density(of: ["203.0.113.7"], in: scope, since: $0.now, besides: nil, limit: 64) },
        .init(
            "devices of one kind behind an address",
            "device_addresses USING INDEX device_addresses_by_kind (app_id=? AND mode=? AND address=? AND os=? AND os_version=? AND seen_at>?)"
        ) {
            _ = try $0.devices(
                like: .init(os: "iOS", osVersion: "18.5"), at: ["203.0.113.7"], in: scope, since: $0.now, besides: nil, limit: 64)
        },
        .init(
            "how common a device's traits are",
            "device_shares USING INDEX sqlite_autoindex_device_shares_1 (app_id=? AND mode=? AND os=? AND trait=?"
        ) { _ = try $0.commonness(of: .init(os: "iOS", osVersion: "18.5", model: "iPhone15,4"), in: scope) },
        .init("a device by its hardware id", "devices USING INDEX devices_by_hardware (app_id=? AND mode=? AND hardware_id=?)") {
            _ = try $0.device(hardwareID: "h", in: scope)
        },
        .init("an explanation", "sessions USING INTEGER PRIMARY KEY (rowid=?)") { _ = try $0.session(Session.ID(rawValue: 6)) },
        .init("the sessions of a time", "sessions USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)") {
            _ = try $0.sessions(from: Session.ID(rawValue: 6), before: Session.ID(rawValue: 9), of: nil, limit: 10)
        },
        .init("an app's sessions of a time", "sessions USING INDEX sessions_by_scope (app_id=? AND mode=? AND id>? AND id<?)") {
            _ = try $0.sessions(from: Session.ID(rawValue: 6), before: Session.ID(rawValue: 9), of: scope, limit: 10)
        },
        .init("who was given a click", "sessions USING INDEX sessions_by_click (click_id=?)") {
            _ = try $0.sessions(givenTo: Click.ID(rawValue: 3))
        },
        .init("an app's newest sessions", "sessions USING INDEX sessions_by_scope (app_id=? AND mode=? AND id<?)") {
            _ = try $0.sessions(of: scope, before: nil, limit: 10)
        },
        .init("the last touch", "devices USING INTEGER PRIMARY KEY", "identities USING INTEGER PRIMARY KEY") {
            _ = try $0.lastTouch(device: Device.ID(rawValue: 4), identity: Identity.ID(rawValue: 5))
        },
    ]
}

/// A connection that forwards all calls and records the statements.
final class RecordingConnection: SQLConnection {
    private let connection: any SQLConnection
    private(set) var recorded: [SQL] = []

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    func query<Value>(_ sql: SQL, _ decode: (any SQLRow) throws -> Value) throws -> [Value] {
        recorded.append(sql)
        return try connection.query(sql, decode)
    }

    func read(_ sql: SQL, while body: (any SQLRow) throws -> Bool) throws {
        recorded.append(sql)
        try connection.read(sql, while: body)
    }

    func execute(_ sql: SQL) throws {
        recorded.append(sql)
        try connection.execute(sql)
    }

    func damage(within limit: Duration?) throws -> [String]? { try connection.damage(within: limit) }

    func execute(script: String) throws {
        try connection.execute(script: script)
    }
}
