import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import SQLiteStorage
import Testing

/// Many held rewards, as after a flood of invented events.
@Suite struct HeldRewardTests {
    /// Runs an app all of whose rewards are held.
    private static func run(
        privacy: AddressPrivacy = AddressPrivacy(),
        _ body: @escaping @Sendable (_ exchange: Exchange, _ app: CreatedApp, _ rules: [RewardRule]) async throws -> Void
    ) async throws {
        try await Exchange.run(privacy: privacy) { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.rewards_per_day": "0"]))
            try await exchange.addRule(try NewRewardRule("play", .actor, 1), for: app)
            try await exchange.addRule(try NewRewardRule("pay", .actor, 10) { $0.caps.perUser = 1 }, for: app)
            try await body(exchange, app, try await exchange.services.rewards.list(app.live.key.scope, limit: 9).rules)
        }
    }

    /// Reports events of a new user.
    ///
    /// - Returns: the user.
    @discardableResult
    private static func report(
        _ events: [String], from address: String, _ exchange: Exchange, _ app: CreatedApp
    ) async throws -> JSONObject {
        let key = app.live.key.branchKey
        let user = try await exchange.install(key, from: address).object
        for event in events {
            let body: JSONObject = ["branch_key": .string(key), "event": .string(event), "identity_id": user["identity_id"]!]
            #expect(try await exchange.post("/v1/event", .object(body), from: address).status == 200)
        }
        return user
    }

    /// They are looked at in portions, and decided in smaller ones, for which other calls do not wait.
    @Test func fewAmongThousandsAreFoundCountedAndReleased() async throws {
        try await Self.run { exchange, app, rules in
            let (held, scope) = (exchange.services.heldRewards, app.live.key.scope)
            let user = try await exchange.install(app.live.key.branchKey, ["identity": "ann"]).object
            let id: Identity.ID = try #require(exchange.services.publicIDs.id(for: user["identity_id"]!.string!))
            try await exchange.change(
                """
                INSERT INTO held_rewards (id, app_id, mode, rule_id, identity_id, reasons, address)
                WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 2500)
                SELECT number, \(app.app.id.rawValue), 0, \(rules[0].id.rawValue), \(id.rawValue), '[]',
                    CASE WHEN number % 100 = 3 THEN 'rare' ELSE 'common' END
                FROM numbers
                """)
            let rare = HeldRewardFilter(addresses: ["rare"])
            #expect(try await held.count(scope, HeldRewardFilter()) == 2500)
            #expect(try await held.count(scope, rare) == 25)
            #expect(try await held.list(scope, rare, limit: 12).map(\.held.id.rawValue) == (0..<12).map { $0 * 100 + 3 })
            #expect(try await held.list(scope, rare, limit: 1000).count == 25)
            #expect(try await held.list(scope, limit: 1000).count == 1000)
            #expect(try await held.releaseAll(scope, rare) == HeldRewardService.Decision(decided: 25))
            #expect(try await held.count(scope, rare) == 0)
            #expect(try await exchange.balance(of: "ann") == 25)
            #expect(try await held.refuseAll(scope, HeldRewardFilter(addresses: ["common"])).decided == 2475)
            #expect(try await held.count(scope, HeldRewardFilter()) == 0)
        }
    }

    @Test(arguments: [AddressPrivacy.Form.keyed, .raw])
    func theyAreFoundByRuleAddressNetworkAndTime(form: AddressPrivacy.Form) async throws {
        try await Self.run(privacy: AddressPrivacy(form)) { exchange, app, rules in
            let (held, scope) = (exchange.services.heldRewards, app.live.key.scope)
            try await Self.report(["play", "pay"], from: "203.0.113.7", exchange, app)
            try await Self.report(["play"], from: "203.0.113.8", exchange, app)
            exchange.installation.clock.advance(by: .seconds(86400))
            let today = exchange.installation.clock.now
            try await Self.report(["play"], from: "203.0.113.7", exchange, app)
            try await Self.report(["play"], from: "198.51.100.1", exchange, app)

            func count(
                rule: RewardRule.ID? = nil, address: String? = nil, network: String? = nil, since: Timestamp? = nil
            ) async throws -> Int {
                try await held.count(scope, held.filter(rule: rule, address: address, network: network, since: since))
            }
            #expect(try await count() == 5)
            #expect(try await count(rule: rules[0].id) == 4)
            #expect(try await count(address: "203.0.113.7") == 3, "under yesterday's key and today's")
            #expect(try await count(network: "203.0.113.0/24") == 4)
            #expect(try await count(since: today) == 2)
            #expect(try await count(rule: rules[0].id, address: "203.0.113.7", since: today) == 1)
            let first = try #require(try await held.list(scope, limit: 1).first?.held)
            #expect(try await count(address: first.address) == 2)
            #expect(try await count(network: first.network) == 3)
            #expect(first.address?.contains("203.0.113") == false, "a hash, also where addresses are kept as they are")
            await #expect(throws: Failure.self) { try await count(network: "203.0.0.0/16") }

            // Counting reads none of them: here they could not even be parsed.
            try await exchange.change("UPDATE held_rewards SET reasons = '{'")
            #expect(try await count() == 5)
        }
    }

    @Test func allThatMatchAreRefusedOrReleasedTogether() async throws {
        try await Self.run { exchange, app, rules in
            let (held, scope) = (exchange.services.heldRewards, app.live.key.scope)
            let user = try await Self.report(["play", "play", "pay", "pay"], from: "192.0.2.1", exchange, app)
            for number in 0..<250 { try await Self.report(["play"], from: "203.0.113.\(number)", exchange, app) }

            let network = try await held.filter(rule: nil, address: nil, network: "203.0.113.0/24", since: nil)
            #expect(try await held.refuseAll(scope, network) == HeldRewardService.Decision(decided: 250, kept: 0))
            #expect(try await held.count(scope, HeldRewardFilter()) == 4)
            let released = try await held.releaseAll(scope, HeldRewardFilter())
            #expect(released == HeldRewardService.Decision(decided: 3, kept: 1), "one is beyond the rule's cap")
            #expect(try await exchange.credits(of: user) == ["default": 12])
            #expect(try await held.count(scope, HeldRewardFilter(rule: rules[1].id)) == 1)
            try await exchange.expectBooksAreRight()
        }
    }

    @Test func beyondADaysLimitTheyAreCountedAndNotStored() async throws {
        try await Self.run { exchange, app, _ in
            let (scope, installation) = (app.live.key.scope, exchange.installation)
            let log = LogRecorder()
            let held = HeldRewardService(
                storage: installation.storage.ledger, addresses: exchange.services.addresses, turns: AnswerTurns(of: "lists"),
                clock: installation.clock.clock, logger: log.logger)
            try await installation.storage.write { transaction in
                for _ in 1..<HeldReward.mostPerDay {
                    _ = try transaction.countHeldReward(
                        from: .anywhere, in: scope, on: transaction.now.day, limit: HeldReward.mostPerDay)
                }
            }
            try await Self.report(["play"], from: "192.0.2.1", exchange, app)
            try await held.report()
            #expect(try await held.count(scope, HeldRewardFilter()) == 1)
            #expect(log.messages.isEmpty)

            try await Self.report(["play", "pay", "pay"], from: "192.0.2.2", exchange, app)
            for _ in 0..<3 { try await held.report() }
            let today = installation.clock.now.day
            #expect(try await held.count(scope, HeldRewardFilter()) == 1)
            #expect(try await held.dropped(of: scope) == [DroppedRewards(scope: scope, day: today, dropped: 3)])
            #expect(log.messages.count == 1)

            installation.clock.advance(by: .seconds(86400))
            try await Self.report(["play"], from: "192.0.2.1", exchange, app)
            #expect(try await held.count(scope, HeldRewardFilter()) == 2)
        }
    }

    @Test func beyondADaysLimitNewAddressesAreNotStored() async throws {
        try await Self.run { exchange, app, _ in
            let (scope, storage) = (app.live.key.scope, exchange.installation.storage)
            try await storage.write { transaction in
                for _ in 0..<HeldReward.mostPerDay {
                    _ = try transaction.countHeldReward(
                        from: .anywhere, in: scope, on: transaction.now.day, limit: HeldReward.mostPerDay)
                }
            }
            for address in ["192.0.2.1", "198.51.100.1"] { try await Self.report(["play"], from: address, exchange, app) }
            #expect(try await exchange.services.heldRewards.dropped(of: scope).map(\.dropped) == [2])
            #expect(try await storage.read { try !$0.hasRewardSources(before: $0.now.day + 1) })
        }
    }

    @Test func beyondANetworksLimitItsNewAddressesAreNotStored() async throws {
        try await Self.run { exchange, app, _ in
            let (scope, storage) = (app.live.key.scope, exchange.installation.storage)
            let origin = try await exchange.services.addresses.rewardOrigin(try #require(ClientAddress("203.0.113.7")))
            let (address, network) = (try #require(origin.address), try #require(origin.network))
            try await storage.write { transaction in
                for _ in 0..<HeldReward.dailyLimit(of: .network(network)) {
                    _ = try transaction.countHeldReward(
                        from: .network(network), in: scope, on: transaction.now.day, limit: .max)
                }
            }
            try await Self.report(["play"], from: "203.0.113.7", exchange, app)
            #expect(try await exchange.services.heldRewards.dropped(of: scope).map(\.dropped) == [1])
            #expect(try await storage.read { try $0.heldRewards(from: .address(address), in: scope, on: $0.now.day) } == 0)
        }
    }

    @Test func oneAddressAndOneNetworkLeaveRoomForOthers() async throws {
        try await Self.run { exchange, app, _ in
            let (held, scope) = (exchange.services.heldRewards, app.live.key.scope)
            let many = [String](repeating: "play", count: 105)
            try await Self.report(many, from: "203.0.113.7", exchange, app)
            #expect(try await held.count(scope, HeldRewardFilter()) == 100)
            for address in ["203.0.113.8", "203.0.113.9", "203.0.113.10"] {
                try await Self.report(many, from: address, exchange, app)
            }
            #expect(try await held.count(scope, HeldRewardFilter()) == 300)

            try await Self.report(["play", "pay"], from: "192.0.2.1", exchange, app)
            #expect(try await held.count(scope, HeldRewardFilter()) == 302)
            let today = exchange.installation.clock.now.day
            #expect(try await held.dropped(of: scope) == [DroppedRewards(scope: scope, day: today, dropped: 120)])

            exchange.installation.clock.advance(by: .seconds(86400))
            try await Self.report(["play"], from: "203.0.113.7", exchange, app)
            #expect(try await held.count(scope, HeldRewardFilter()) == 303)
            let listed = try await held.list(scope, limit: 1000).map(\.held.id)
            #expect(listed.count == 303 && Set(listed).count == 303, "all, although they are read in portions")
            #expect(try await held.list(scope, limit: 250).map(\.held.id) == Array(listed.prefix(250)))
        }
    }
}
