import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Limits of rewards for calls that need only the public key.
@Suite struct RewardLimitTests {
    private static func held(_ exchange: Exchange, _ app: CreatedApp) async throws -> [HeldReward] {
        try await exchange.services.heldRewards.list(app.live.key.scope, limit: 1000).map(\.held)
    }

    /// Invented installs, each at an address of its own, are organic and earn nothing.
    @Test func inventedInstallsEarnNothing() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            for number in 0..<30 {
                let user = try await exchange.install(app.live.key.branchKey, from: "198.18.\(number).1").object
                #expect(try await exchange.credits(of: user) == ["default": 0])
            }
            #expect(try await Self.held(exchange, app).isEmpty)
        }
    }

    /// Branch's rules reward the acting user, referred or not: 300 invented users, each at an address of its own, earn a day's limit in
    /// all, and further rewards are held.
    @Test(arguments: ["/v1/event", "/v2/event/custom"])
    func inventedUsersWhoReportAnEventEarnNoMoreThanADayAllows(call: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await exchange.addRule(try NewRewardRule("play", .actor, 10), for: app)
            try await exchange.addRule(try NewRewardRule("play", .actorIfReferred, 10), for: app)
            try await exchange.addRule(try NewRewardRule("open", .actor, 10), for: app)
            for number in 0..<300 {
                let address = "198.\(18 + number / 200).\(number % 200).7"
                let user = try await exchange.install(key, from: address).object
                let device: JSONObject = [
                    "branch_key": .string(key), "device_fingerprint_id": user["device_fingerprint_id"]!, "os": "iOS",
                    "identity_id": user["identity_id"]!,
                ]
                _ = try await exchange.post("/v1/open", .object(device), from: address)
                let event: JSONObject = ["event": "play", "name": "play", "user_data": .object(device.merging(["os": "iOS"]))]
                let answer = try await exchange.post(call, .object(device.merging(event)), from: address)
                try #require(answer.status == 200, "\(answer.body)")
            }
            let earned = try await exchange.installation.storage.read {
                try $0.total(of: .rewards, from: .anywhere, in: scope, on: $0.now.day)
            }
            #expect(earned == 100)
            #expect(try await Self.held(exchange, app).count == 500)
            try await exchange.expectBooksAreRight()
        }
    }

    private static let origins: [(address: @Sendable (Int) -> String, given: Int, setting: String)] = [
        ({ _ in "203.0.113.7" }, 20, "fraud.rewards_per_address"), ({ "203.0.113.\($0)" }, 60, "fraud.rewards_per_network"),
        ({ "2001:db8:1:\($0)::1" }, 60, "fraud.rewards_per_network"), ({ "2001:db8:1:1::\($0)" }, 20, "fraud.rewards_per_address"),
        ({ "198.\(18 + $0 / 100).\($0 % 100).1" }, 100, "fraud.rewards_per_day"),
    ]

    @Test(arguments: origins.indices)
    func whatExceedsADaysLimitsWaitsForTheOperator(index: Int) async throws {
        let (address, given, setting) = Self.origins[index]
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, scope) = (app.live.key.branchKey, app.live.key.scope)
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            for number in 0..<(given + 5) { _ = try await exchange.installByLink(key, from: address(number)) }
            let held = try await Self.held(exchange, app)
            try #require(held.count == 5)
            #expect(held.allSatisfy { $0.reasons.count == 1 && $0.reasons[0].contains(setting) }, "\(held[0].reasons)")
            let earned = try await exchange.installation.storage.read {
                try $0.total(of: .rewards, from: .anywhere, in: scope, on: $0.now.day)
            }
            #expect(earned == Int64(given))

            let record = try await exchange.services.heldRewards.release(held[0].id, of: scope)
            #expect(record != nil)
            // The next day has its own count, and the sources of the previous day are deleted.
            exchange.installation.clock.advance(by: .seconds(86400))
            try await exchange.services.maintenance.runOnce()
            #expect(try await exchange.installation.storage.read { try !$0.hasRewardSources(before: $0.now.day) })
            let user = try await exchange.installByLink(key, from: address(0))
            #expect(try await exchange.credits(of: user) == ["default": 10])
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func outdatedCountersOfAddressesAreDeletedInBatches() async throws {
        try await Installation.run { installation in
            let storage = installation.storage
            let scope = try await installation.createApp().live.key.scope
            try await storage.write { transaction in
                for number in 1...5 {
                    _ = try transaction.count(
                        .rewards, from: .address("\(number)"), in: scope, on: transaction.now.day - 1, limit: nil)
                }
                _ = try transaction.count(.rewards, from: .address("1"), in: scope, on: transaction.now.day, limit: nil)
                _ = try transaction.count(.rewards, from: .anywhere, in: scope, on: transaction.now.day - 1, limit: nil)
            }
            try await storage.write { try $0.deleteRewardSources(before: $0.now.day, limit: 4) }
            #expect(try await storage.read { try $0.hasRewardSources(before: $0.now.day) })
            try await storage.write { try $0.deleteRewardSources(before: $0.now.day, limit: 4) }
            #expect(try await storage.read { try !$0.hasRewardSources(before: $0.now.day) })
            // Today's counter and the total of a day are kept.
            let kept = try await storage.read { reader in
                try [
                    reader.total(of: .rewards, from: .address("1"), in: scope, on: reader.now.day),
                    reader.total(of: .rewards, from: .anywhere, in: scope, on: reader.now.day - 1),
                ]
            }
            #expect(kept == [1, 1])
        }
    }

    @Test func anAppThatRewardsManyADayHasAHigherLimit() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (scope, installation) = (app.live.key.scope, exchange.installation)
            let today = installation.clock.now.day
            try await installation.storage.write { transaction in
                for day in (today - 15)..<today {
                    for _ in 0..<50 { _ = try transaction.count(.rewards, from: .anywhere, in: scope, on: day, limit: nil) }
                }
            }
            // One less than five times the usual 50 of a day.
            try await installation.storage.write { transaction in
                for _ in 0..<249 { _ = try transaction.count(.rewards, from: .anywhere, in: scope, on: today, limit: nil) }
            }
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            let users = [
                try await exchange.installByLink(app.live.key.branchKey, from: "192.0.2.1"),
                try await exchange.installByLink(app.live.key.branchKey, from: "192.0.2.2"),
            ]
            #expect(try await exchange.credits(of: users[0]) == ["default": 10])
            #expect(try await exchange.credits(of: users[1]) == ["default": 0])
            #expect(try await Self.held(exchange, app).first?.reasons.first?.contains("250 rewards") == true)
        }
    }

    /// Two weeks in which invented users reach the limit each day do not raise it.
    @Test func someDaysOfManyRewardsDoNotRaiseTheLimit() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (scope, today) = (app.live.key.scope, exchange.installation.clock.now.day)
            try await exchange.installation.storage.write { transaction in
                for day in (today - 14)...today {
                    for _ in 0..<100 { _ = try transaction.count(.rewards, from: .anywhere, in: scope, on: day, limit: nil) }
                }
            }
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            let user = try await exchange.installByLink(app.live.key.branchKey, from: "192.0.2.1")
            #expect(try await exchange.credits(of: user) == ["default": 0])
            #expect(try await Self.held(exchange, app).first?.reasons.first?.contains("100 rewards") == true)
        }
    }

    @Test(arguments: [("3", 3), ("off", 8), ("0", 0)])
    func theLimitsAreTheAppsOwn(setting: String, given: Int) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.rewards_per_address": .string(setting)]))
            let key = app.live.key.branchKey
            try await exchange.addRule(try NewRewardRule("play", .actor, 1), for: app)
            let user = try await exchange.install(key).object
            for _ in 0..<8 {
                _ = try await exchange.post(
                    "/v1/event", ["branch_key": .string(key), "event": "play", "identity_id": user["identity_id"]!])
            }
            #expect(try await exchange.credits(of: user) == ["default": .integer(Int64(given))])
            #expect(try await Self.held(exchange, app).count == 8 - given)
        }
    }

    @Test func aServerWithTheSecretHasNoLimits() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.rewards_per_day": "1", "credits.client_codes": "true"]))
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            let url = "https://go.example.com" + (try await exchange.createLink(app.live.key.branchKey))
            for number in 1...5 {
                let answer = try await exchange.server(
                    "/v1/open", app,
                    [
                        "server_to_server": true, "os": "iOS", "os_version": "17.5.1", "app_version": "3.0", "model": "iPhone14,5",
                        "ad_tracking_enabled": true, "is_hardware_id_real": true, "hardware_id": .string("H-\(number)"),
                        "ip": "192.0.2.1", "universal_link_url": .string(url),
                    ])
                #expect(try await exchange.credits(of: answer.object) == ["default": 10], "\(answer.body)")
            }
        }
    }

    @Test func referralCodesCountToo() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.rewards_per_address": "2"]))
            let key = app.live.key.branchKey
            let code = try await exchange.server(
                "/v1/referralcode", app, ["identity": "ann", "amount": 10, "calculation_type": 1, "location": 0])
            let name = try #require(code.object["referral_code"]?.string)
            var answers: [Int] = []
            for _ in 1...3 {
                let user = try await exchange.install(key).object
                answers.append(
                    try await exchange.post(
                        "/v1/applycode/\(name)", ["branch_key": .string(key), "identity_id": user["identity_id"]!]
                    ).status)
            }
            #expect(answers == [200, 200, 429])
            #expect(try await exchange.server("/v1/applycode/\(name)", app, ["identity": "bob"]).status == 200)
        }
    }

    @Test func aCodeThatRewardsBothUsersCountsTwice() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["fraud.rewards_per_address": "3"])
            let app = try await exchange.installation.createApp(settings: settings)
            let key = app.live.key.branchKey
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 1])
            let made = try await exchange.server(
                "/v1/referralcode", app, ["identity": "ann", "amount": 10, "calculation_type": 0, "location": 3])
            let code = try #require(made.object["referral_code"]?.string)
            var answers: [Int] = []
            for _ in 1...2 {
                let user = try await exchange.install(key).object
                answers.append(try await exchange.apply(code, as: user, key).status)
                #expect(try await exchange.credits(of: user) == ["default": answers == [200] ? 10 : 0])
            }
            #expect(answers == [200, 429])
            try await exchange.expectBooksAreRight()
        }
    }

    /// A server is trusted with what it reports, however many of its users are behind its own address.
    @Test func eventsWithTheSecretHaveNoLimits() async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["fraud.rewards_per_address": "1"])
            let app = try await exchange.installation.createApp(settings: settings)
            try await exchange.addRule(try NewRewardRule("play", .actor, 10), for: app)
            let user = try await exchange.install(app.live.key.branchKey, ["identity": "ann"]).object
            for _ in 1...3 {
                let event: JSONObject = ["name": "play", "user_data": ["developer_identity": "ann"]]
                let answer = try await exchange.server("/v2/event/custom", app, event)
                try #require(answer.status == 200, "\(answer.body)")
            }
            #expect(try await exchange.credits(of: user) == ["default": 30])
            #expect(try await Self.held(exchange, app).isEmpty)
        }
    }
}

/// The access to users' credits with only the public key.
@Suite struct StrictSecurityTests {
    @Test(arguments: ["branch", "strict"])
    func strictClosesInOneStepWhatBranchLeavesOpen(security: String) async throws {
        try await Exchange.run { exchange in
            let settings = Installation.settings.merging(["credits.client_codes": "true", "security": .string(security)])
            let app = try await exchange.installation.createApp(settings: settings)
            let key = app.live.key.branchKey
            _ = try await exchange.server("/v1/credits", app, ["identity": "ann", "amount": 50])
            let code = try await exchange.server(
                "/v1/referralcode", app, ["identity": "bob", "amount": 1, "calculation_type": 0, "location": 0])
            let name = try #require(code.object["referral_code"]?.string)
            // A stranger logs in with the user's name.
            let thief = try await exchange.install(key, ["identity": "ann", "sdk": "ios1.30.0"]).object
            let tokens: JSONObject = ["branch_key": .string(key), "identity_id": thief["identity_id"]!]
            let calls: [(String, Int)] = [
                (
                    "/v1/credits?branch_key=\(key)&identity=ann",
                    try await exchange.get("/v1/credits?branch_key=\(key)&identity=ann").status
                ),
                ("by token", try await exchange.get("/v1/credits/\(thief["identity_id"]!.string!)").status),
                ("history", try await exchange.post("/v1/credithistory", .object(tokens)).status),
                ("redeem", try await exchange.post("/v1/redeem", .object(tokens.merging(["amount": 5]))).status),
                (
                    "make",
                    try await exchange.post(
                        "/v1/referralcode",
                        .object(tokens.merging(["amount": 5, "calculation_type": 0, "location": 0, "type": "credit"]))
                    ).status
                ),
                ("apply", try await exchange.post("/v1/applycode/\(name)", .object(tokens)).status),
            ]
            for (call, status) in calls { #expect(status == (security == "strict" ? 400 : 200), "\(call)") }
            #expect(try await exchange.server("/v1/redeem", app, ["identity": "ann", "amount": 5]).status == 200)
            let findings = CreditSettingsCheck.findings(on: try await exchange.services.directory.app(branchKey: key).app)
            #expect(findings.contains { $0.status == .warning } == (security == "branch"))
            #expect(findings.first?.check == "security")
        }
    }

    /// An app whose users have no names continues to work.
    @Test func anAnonymousUsersCreditsAreReadByTheAppItself() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(settings: Installation.settings.merging(["security": "strict"]))
            let user = try await exchange.install(app.live.key.branchKey).object
            #expect(try await exchange.credits(of: user) == ["default": 0])
        }
    }

    @Test func anUnknownWordIsRefused() async throws {
        try await Exchange.run { exchange in
            await #expect(throws: Failure.self) {
                _ = try await exchange.installation.createApp(settings: ["security": "tight"])
            }
        }
    }
}
