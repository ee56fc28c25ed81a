import HTTPTypes
import Linden
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The erasure of an identity with data in every table that can have them, including an interrupted one: no data may be left.
@Suite struct ErasureEverywhereTests {
    @Test func noTableHoldsAnythingOfAnErasedPersonAndTheBooksAddUp() async throws {
        try await Exchange.run(privacy: AddressPrivacy(.raw)) { exchange in
            let life = try await Life(exchange)
            let texts = try await life.texts()
            let before = try await exchange.traces(of: texts)
            #expect(
                life.tables.isSubset(of: Set(before.map(\.table))), "\(life.tables.subtracting(before.map(\.table)).sorted())")
            let issued = try await exchange.rows("SELECT SUM(balance) FROM credit_accounts")
            #expect(issued > 0)

            _ = try await exchange.services.people.erase(try await life.ann)
            let left = try await exchange.traces(of: texts)
            #expect(left == [])
            #expect(try await exchange.rows("SELECT SUM(balance) FROM credit_accounts") == issued)
            try await exchange.expectBooksAreRight()
            try await life.expectOthersAreAsTheyWere()
        }
    }

    @Test func anErasureThatWasCutOffIsDoneAgain() async throws {
        var wasCutOff = true
        var writes = 0
        while wasCutOff {
            wasCutOff = try await Exchange.run(privacy: AddressPrivacy(.raw)) { [writes] exchange in
                let life = try await Life(exchange)
                let texts = try await life.texts()
                let ann = try await life.ann
                do {
                    _ = try await exchange.people(failingAfter: writes).erase(ann)
                } catch let failure as Failure where failure.code == .unavailable {
                    // The identity is deleted last: it can be found as long as any data are left.
                    if let ann = try? await life.ann { _ = try await exchange.services.people.erase(ann) }
                    let left = try await exchange.traces(of: texts)
                    #expect(left == [], "after \(writes) writes")
                    try await exchange.expectBooksAreRight()
                    return true
                }
                return false
            }
            writes += 1
        }
        #expect(writes > 20)
    }

    @Test(arguments: [AddressPrivacy.Form.raw, .keyed])
    func aPersonsFileShowsHerAddressesAndNoTokenOfOthers(form: AddressPrivacy.Form) async throws {
        try await Exchange.run(privacy: AddressPrivacy(form)) { exchange in
            let life = try await Life(exchange)
            let ann = try await life.ann
            var file = try await exchange.services.subjectRequests.export(ann, as: .ndjson)
            var lines: [JSONObject] = []
            while let bytes = try await file.next() {
                lines += try bytes.split(separator: UInt8(ascii: "\n")).map {
                    try JSON.parse(String(decoding: $0, as: UTF8.self)).object!
                }
            }
            #expect(lines.contains { $0["kind"] == "referral" && $0["id"] == .null })
            let text = JSON.array(lines.map(JSON.object)).text
            #expect(text.contains(exchange.services.publicIDs.string(for: ann.id)))
            let others = try await life.tokensOfOthers()
            #expect(others.count >= 9)
            for token in others { #expect(!text.contains(token)) }

            let isShown = form == .raw
            let clicks = lines.filter { $0["kind"] == "click" }.compactMap { $0["data"]?.object?["address"] }
            #expect(clicks.contains(.string(Life.home)) == isShown && clicks.isEmpty == !isShown)
            let device = lines.first { $0["kind"] == "device" }?["data"]?.object
            #expect(device?["addresses"] == (isShown ? [.string(Life.home)] : nil))
        }
    }

    @Test func anErasedUsersCodeIsNoCodeAnyMore() async throws {
        try await Exchange.run { exchange in
            let life = try await Life(exchange)
            _ = try await exchange.services.referralCodes.check(life.code, for: .named("bob"), in: life.scope)
            _ = try await exchange.services.people.erase(try await life.ann)
            await #expect(throws: Failure.self) {
                _ = try await exchange.services.referralCodes.check(life.code, for: .named("bob"), in: life.scope)
            }
        }
    }

    /// The row that maps the click to the device expires after a while; the click's own query names the device permanently.
    @Test(arguments: [false, true])
    func aClickThatNamedTheDeviceForgetsIt(hasExpired: Bool) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            let id = "6D92078A-8246-4BA4-AE5B-76104861E7DC"
            _ = try await exchange.get(path + "?$idfa=\(id)", from: "198.51.100.9")
            _ = try await exchange.install(
                key, ["identity": "ann", "hardware_id": .string(id), "hardware_id_type": "idfa", "is_hardware_id_real": true],
                from: "192.0.2.7")
            if hasExpired { _ = try await exchange.rows("DELETE FROM device_clicks RETURNING 1") }
            #expect(try await !exchange.traces(of: [id, id.lowercased()]).isEmpty)
            let scope = try await exchange.services.directory.app(branchKey: key).scope
            _ = try await exchange.services.people.erase(try await exchange.services.people.identity("ann", in: scope))
            let left = try await exchange.traces(of: [id, id.lowercased()])
            #expect(left == [])
        }
    }

    @Test func anErasureThatFailsDoesNotBlockOthers() async throws {
        try await Exchange.run { exchange in
            let life = try await Life(exchange)
            let storage = HookedStorage(exchange.installation.storage) { write in
                if write == 0 { throw Failure.unavailable("The database is gone.") }
            }
            let requests = SubjectRequestService(
                storage: exchange.installation.storage, people: exchange.people(on: storage),
                publicIDs: exchange.services.publicIDs, exports: exchange.services.exports)
            var asked: [String] = []
            for name in [Life.name, "carol"] {
                asked.append(
                    try await requests.ask(.erasure, about: [DataSubject(kind: .developer, value: name)], in: life.scope).handle)
            }
            await #expect(throws: Failure.self) { try await requests.runAll() }
            #expect(try await requests.request(asked[0]).doneAt == nil)
            #expect(try await requests.request(asked[1]).doneAt != nil)
            try await requests.runAll()
            #expect(try await requests.request(asked[0]).doneAt != nil)
        }
    }

    @Test func whatComesInMeanwhileGoesToo() async throws {
        try await Exchange.run { exchange in
            let life = try await Life(exchange)
            let storage = HookedStorage(exchange.installation.storage) { write in
                guard write == 1 else { return }
                // After the first pass: a click in the browser associated with Ann's app.
                let cookie = "_s=" + exchange.services.publicIDs.string(for: life.browser)
                _ = try await exchange.get(life.link, from: "192.0.2.200", headers: [.cookie: cookie])
                #expect(try await exchange.rows(life.clicksOfTheBrowser) == 1)
            }
            _ = try await exchange.people(on: storage).erase(try await life.ann)
            #expect(try await exchange.rows(life.clicksOfTheBrowser) == 0)
        }
    }
}

/// The data of Ann and of others related to Ann: Bob referred Ann, Ann referred Carol and Eve.
private struct Life: Sendable {
    static let name = "ann@orchard.example"
    static let home = "198.51.100.7"
    static let advertisingID = "6D92078A-8246-4BA4-AE5B-76104861E7DC"

    let exchange: Exchange
    let scope: Scope
    /// Bob's link.
    let link: String
    /// Ann's referral code.
    let code: String
    let device: Device.ID
    let browser: Browser.ID

    init(_ exchange: Exchange) async throws {
        self.exchange = exchange
        let app = try await exchange.installation.createApp(settings: Installation.settings.merging(["fraud.emulators": "true"]))
        let (key, ids) = (app.live.key.branchKey, exchange.services.publicIDs)
        let scope = app.live.key.scope
        self.scope = scope
        try await exchange.addRule(try NewRewardRule("install", .both, 10) { $0.isFirstOnly = true }, for: app)
        try await exchange.addRule(
            try NewRewardRule("pruned", .both, 3) { $0.caps = RewardCaps(perDay: 5, perUser: 9) }, for: app)
        link = try await exchange.friend(named: "bob", of: key, at: "192.0.2.1").link

        // A text message brings Ann to the app, after a click on an ad.
        _ = try await exchange.get(link + "?$idfa=" + Self.advertisingID, from: Self.home)
        let page = try #require(try await exchange.get(link, from: "192.0.2.2").linkClickID)
        let sent = try await exchange.send(
            .post, "/c/\(page)", from: "192.0.2.2", body: Array("phone=%2B1%20(555)%20010-0001&branch_key=\(key)".utf8))
        #expect(sent.status == 200)
        let links = try await exchange.installation.storage.read { try $0.links(of: scope, before: nil, limit: 1) }
        let bobs = try #require(links.first)
        let message = try await exchange.installation.storage.write { transaction in
            let message = TextMessage(
                id: try transaction.newID(), scope: scope, link: bobs.id, query: nil, phone: try PhoneNumber("+15550100001"))
            try transaction.insert(message)
            return message.id
        }
        let click = try #require(try await exchange.get("/c/" + ids.string(for: message), from: Self.home).linkClickID)
        let phone: JSONObject = [
            "identity": .string(Self.name), "ios_vendor_id": "HARDWARE-OF-ANN", "model": "iPhone15,2",
            "hardware_id": .string(Self.advertisingID), "hardware_id_type": "idfa", "is_hardware_id_real": true,
            "link_identifier": .string(click), "branch_sdk_request_unique_id": "call-of-ann",
        ]
        let ann = try await exchange.install(key, phone, from: Self.home).object
        let tokens = ann.filter { key, _ in key.hasPrefix("randomized_") }
        let (deviceToken, sessionToken) = (ann["randomized_device_token"]?.scalarText, ann["session_id"]?.scalarText)
        let device: Device.ID = try #require(ids.id(for: deviceToken ?? ""))
        let session: Session.ID = try #require(ids.id(for: sessionToken ?? ""))
        self.device = device
        browser = try await exchange.installation.storage.write { transaction in
            let browser: Browser.ID = try transaction.newID()
            try transaction.join(browser, to: device, in: scope)
            try transaction.insert(TokenExchange(session: session, token: "TOKEN-OF-ANN", dueAt: transaction.now))
            return browser
        }

        _ = try await exchange.services.referralCodes.apply(
            try await exchange.services.referralCodes.make(
                NewReferralCode(
                    owner: .named("bob"), amount: try CreditAmount(4), bucket: .standard, prefix: "BOBS", frequency: .oncePerUser,
                    recipient: .applier, expiresAt: nil), try CreditCall(), in: scope
            ).code, for: .named(Self.name), from: nil, try CreditCall(idempotencyKey: "key-of-ann", isTrusted: false), in: scope)
        // Ann's events are rewarded, and held once the phone has a fraud signal.
        for suspicion in [nil, "It is an emulator."] {
            if let suspicion {
                try await exchange.installation.storage.write { try $0.setSuspicions([suspicion], against: device) }
            }
            _ = try await exchange.post(
                "/v2/event/custom",
                [
                    "name": "pruned", "branch_key": .string(key), "custom_data": ["tree": "tree-of-ann"],
                    "user_data": ["developer_identity": .string(Self.name), "idfv": "HARDWARE-OF-ANN"],
                ])
        }
        var reason = CreditReason(.server)
        reason.event = "birthday of ann"
        reason.metadata = ["note": "For ann, with love"]
        _ = try await exchange.services.credits.grant(
            CreditGrant(holder: .named(Self.name), amount: try CreditAmount(5)), reason,
            try CreditCall(idempotencyKey: "birthday of ann"), in: scope)
        code = try await exchange.services.referralCodes.make(
            NewReferralCode(
                owner: .named(Self.name), amount: try CreditAmount(2), bucket: .standard, prefix: "ANNS", frequency: .oncePerUser,
                recipient: .both, expiresAt: nil), try CreditCall(idempotencyKey: "a code for ann"), in: scope
        ).code
        let anns = try await exchange.createLink(key, ["identity": .string(Self.name), "alias": "anns"])
        _ = try await exchange.installBy(anns, key, ["identity": "carol"], at: "192.0.2.20")
        _ = try await exchange.installBy(anns, key, ["identity": "eve", "model": "x86_64"], at: "192.0.2.21")
        _ = try await exchange.services.referralCodes.apply(code, for: .named("carol"), from: nil, try CreditCall(), in: scope)

        // Access requests for Ann, by all identifiers.
        for subject in [
            DataSubject(kind: .developer, value: Self.name), DataSubject(kind: .device, value: "HARDWARE-OF-ANN"),
            DataSubject(kind: .device, value: try #require(deviceToken)),
        ] {
            _ = try await exchange.services.subjectRequests.ask(.access, about: [subject], in: scope)
        }

        // An anonymous user continues on Ann's phone.
        _ = try await exchange.post("/v1/logout", .object(tokens.merging(["branch_key": .string(key)])), from: Self.home)
        _ = try await exchange.post("/v1/open", .object(tokens.merging(["branch_key": .string(key)])), from: Self.home)
    }

    /// The tables with data of Ann.
    let tables: Set<String> = [
        "identities", "devices", "sessions", "events", "clicks", "text_messages", "requests", "browsers", "device_clicks",
        "device_addresses", "token_exchanges", "referrals", "referral_codes", "reward_counts", "held_rewards", "suspicions",
        "credit_accounts", "credit_transactions", "credit_claims", "links", "subject_requests",
    ]

    /// The tokens of other users' SDKs.
    func tokensOfOthers() async throws -> [String] {
        let device = device
        return try await exchange.installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.query(
                """
                SELECT id FROM sessions WHERE device_id <> \(device)
                UNION SELECT identity_id FROM sessions WHERE device_id <> \(device)
                UNION SELECT id FROM devices WHERE id <> \(device)
                """
            ) { exchange.services.publicIDs.string(for: $0.id(0) as Device.ID) }
        }
    }

    var ann: Identity {
        get async throws { try await exchange.services.people.identity(Self.name, in: scope) }
    }

    var clicksOfTheBrowser: String { "SELECT COUNT(*) FROM clicks WHERE browser_id = \(browser)" }

    /// Ann's ids, names and texts, as stored and as public ids.
    func texts() async throws -> [String] {
        let device = device
        let ids = try await exchange.installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.query(
                """
                SELECT id FROM sessions WHERE device_id = \(device)
                UNION SELECT identity_id FROM sessions WHERE device_id = \(device)
                UNION SELECT identity_id FROM devices WHERE id = \(device)
                """
            ) { $0.integer(0) }
        }
        #expect(ids.count >= 4)
        let numbers = (ids + [device.rawValue, browser.rawValue]).flatMap { id in
            [String(id), exchange.services.publicIDs.string(for: Device.ID(rawValue: id))]
        }
        return numbers + [
            Self.name, "HARDWARE-OF-ANN", "tree-of-ann", "of ann", "For ann", "call-of-ann", "TOKEN-OF-ANN", code, Self.home,
            Self.advertisingID, Self.advertisingID.lowercased(), "5550100001", "010-0001",
        ]
    }

    func expectOthersAreAsTheyWere() async throws {
        for (name, balance) in [("bob", 13), ("carol", 12), ("eve", 0)] as [(String, Int64)] {
            #expect(try await exchange.services.credits.balance(of: .named(name), in: .standard, scope) == balance, "\(name)")
        }
        let lines = try await exchange.services.credits.history(try CreditHistoryQuery(), of: .named("bob"), in: scope)
        #expect(lines.count == 2 && lines.allSatisfy { $0.referree == nil })
        let waiting = try await exchange.services.heldRewards.list(scope, limit: 10)
        #expect(Set(waiting.compactMap { $0.user?.developerIdentity }) == ["bob", "eve"])
        for (held, _, _) in waiting { _ = try await exchange.services.heldRewards.release(held.id, of: scope) }
        try await exchange.expectBooksAreRight()
    }
}

/// A value of the database that contains personal data.
private struct Trace: Hashable {
    let table: String
    let column: String
    let value: String
}

extension Exchange {
    fileprivate func people(on storage: any Storage) -> IdentityDataService {
        let links = LinkDirectory(
            storage: storage, apps: services.directory, baseURL: services.baseURL, publicIDs: services.publicIDs)
        return IdentityDataService(storage: storage, links: links, publicIDs: services.publicIDs)
    }

    fileprivate func people(failingAfter writes: Int) -> IdentityDataService {
        people(
            on: HookedStorage(installation.storage) { write in
                if write >= writes { throw Failure.unavailable("The database is gone.") }
            })
    }

    /// Returns every value of the whole database that contains one of the texts.
    fileprivate func traces(of texts: [String]) async throws -> [Trace] {
        try await installation.storage.write { transaction in
            let connection = (transaction as! SQLTransaction).connection
            let columns = try connection.query(
                """
                SELECT tables.name, columns.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table'
                """
            ) { (table: $0.text(0), column: $0.text(1)) }
            return try columns.flatMap { table, column in
                try connection.query(SQL(text: "SELECT COALESCE(CAST(\"\(column)\" AS TEXT), '') FROM \"\(table)\"", values: [])) {
                    $0.text(0)
                }.filter { value in texts.contains { value.contains($0) } }.map { Trace(table: table, column: column, value: $0) }
            }
        }
    }
}
