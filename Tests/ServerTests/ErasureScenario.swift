import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenReporting
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// The data of Ann and of others related to Ann: Bob referred Ann, Ann referred Carol and Eve.
struct ErasureScenario: Sendable {
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
        let bobs = try #require(try await exchange.services.linkLists.list(of: scope, limit: 1).links.first)
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
            try transaction.join(browser, to: device, isGuessed: false, in: scope)
            try transaction.insert(
                TokenExchange(
                    session: session, app: scope.app, token: "TOKEN-OF-ANN", state: JobState(dueAt: transaction.now)))
            return browser
        }

        _ = try await exchange.services.referralCodes.apply(
            try await exchange.services.referralCodes.make(
                NewReferralCode(
                    owner: .named("bob"), amount: try CreditAmount(4), bucket: .standard, prefix: "BOBS", frequency: .oncePerUser,
                    recipient: .applier, expiresAt: nil), try CreditCall(), in: scope
            ).code, for: .named(Self.name), from: nil, try CreditCall(idempotencyKey: "key-of-ann", isTrusted: false), in: scope)
        // Ann's events are rewarded, and held once the phone has a fraud signal.
        for signal in [nil, "It is an emulator."] {
            if let signal {
                try await exchange.installation.storage.write { try $0.setFraudSignals([signal], of: device) }
            }
            _ = try await exchange.post(
                "/v2/event/custom",
                [
                    "name": "pruned", "branch_key": .string(key), "custom_data": ["tree": "tree-of-ann"],
                    "user_data": ["developer_identity": .string(Self.name), "idfv": "HARDWARE-OF-ANN"],
                ])
        }
        var reason = RequestedCause(.server)
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
        "device_addresses", "token_exchanges", "referrals", "referral_codes", "reward_counts", "held_rewards", "fraud_signals",
        "credit_accounts", "credit_transactions", "credit_uniqueness_keys", "links", "subject_requests",
    ]

    /// The tokens of other users' SDKs, and the numbers of their references.
    func tokensOfOthers() async throws -> [String] {
        let device = device
        return try await exchange.installation.storage.write { transaction in
            try (transaction as! SQLTransaction).connection.query(
                """
                SELECT id FROM sessions WHERE device_id <> \(device)
                UNION SELECT identity_id FROM sessions WHERE device_id <> \(device)
                UNION SELECT id FROM devices WHERE id <> \(device)
                """
            ) { $0.id(0) as Device.ID }
        }.flatMap { [exchange.services.publicIDs.string(for: $0), exchange.services.publicIDs.referenceNumber(to: $0)] }
    }

    var ann: Identity {
        get async throws { try await exchange.services.people.identity(Self.name, in: scope) }
    }

    var clicksOfTheBrowser: String { "SELECT COUNT(*) FROM clicks WHERE browser_id = \(browser)" }

    /// Ann's ids, names and texts, as stored, as public ids and as references.
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
            let (row, ids) = (Device.ID(rawValue: id), exchange.services.publicIDs)
            return [String(id), ids.string(for: row), ids.referenceNumber(to: row)]
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
