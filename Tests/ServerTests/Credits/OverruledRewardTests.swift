import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// Rewards that are earned once, where a stranger reports the event by the user's name before the app's server does.
@Suite struct OverruledRewardTests {
    enum Decision: CaseIterable { case none, refused }

    @Test(arguments: Decision.allCases, [RewardRule.Recipient.actor, .both])
    func aServersReportIsRewardedInPlaceOfTheStrangers(decision: Decision, recipient: RewardRule.Recipient) async throws {
        try await Self.run(recipient) { scene in
            try await scene.play(from: "198.51.100.9")
            #expect(try await scene.held() == (recipient == .both ? 2 : 1))
            if decision == .refused { _ = try await scene.exchange.services.heldRewards.refuseAll(scene.scope, HeldRewardFilter()) }

            try await scene.play(secret: scene.app.live.secret)
            #expect(try await scene.exchange.balance(of: "ann") == 5)
            #expect(try await scene.exchange.balance(of: "mia") == (recipient == .both ? 5 : 0))
            #expect(try await scene.held() == 0)

            // It is the user's one reward.
            try await scene.play(secret: scene.app.live.secret)
            try await scene.play(from: "198.51.100.9")
            #expect(try await scene.exchange.balance(of: "ann") == 5)
            #expect(try await scene.held() == 0)
            try await scene.exchange.expectBooksAreRight()
        }
    }

    @Test func whatWasReleasedIsTheUsersOneReward() async throws {
        for count in 1...2 {
            try await Self.run(.both) { scene in
                try await scene.play(from: "198.51.100.9")
                let held = try await scene.exchange.services.heldRewards.list(scene.scope, limit: 10).map(\.held.id)
                // Also where only the referrer's is released.
                for id in held.suffix(count) { _ = try await scene.exchange.services.heldRewards.release(id, of: scene.scope) }
                try await scene.play(secret: scene.app.live.secret)
                #expect(try await scene.exchange.balance(of: "mia") == 5)
                #expect(try await scene.exchange.balance(of: "ann") == (count == 2 ? 5 : 0))
                #expect(try await scene.held() == 2 - count)
            }
        }
    }

    @Test func whatClientsReportAgainWaitsOn() async throws {
        try await Self.run(.actor) { scene in
            try await scene.play(from: "198.51.100.9")
            try await scene.play(from: "192.0.2.1")
            #expect(try await scene.held() == 1)
            _ = try await scene.exchange.services.heldRewards.refuseAll(scene.scope, HeldRewardFilter())
            try await scene.play(from: "192.0.2.1")
            #expect(try await scene.held() == 0)
        }
    }

    /// An app in which mia brought ann, and all that clients earn is held.
    private struct Scene {
        let exchange: Exchange
        let app: CreatedApp

        var scope: Scope { app.live.key.scope }

        /// Reports ann's event by her name, as her device would, or as the app's server.
        func play(secret: String? = nil, from address: String = "203.0.113.7") async throws {
            let session = try await exchange.rows("SELECT MIN(id) FROM sessions WHERE referring_identity_id IS NOT NULL")
            var event: JSONObject = [
                "branch_key": .string(app.live.key.branchKey), "event": "play", "identity": "ann",
                "session_id": .string(exchange.services.publicIDs.string(for: Session.ID(rawValue: Int64(session)))),
            ]
            if let secret { event["branch_secret"] = .string(secret) }
            let answer = try await exchange.post("/v1/event", .object(event), from: address)
            try #require(answer.status == 200, "\(answer.body)")
        }

        func held() async throws -> Int { try await exchange.services.heldRewards.count(scope, HeldRewardFilter()) }
    }

    private static func run(
        _ recipient: RewardRule.Recipient, _ body: @escaping @Sendable (Scene) async throws -> Void
    ) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await exchange.addRule(try NewRewardRule("play", recipient, 5) { $0.isFirstOnly = true }, for: app)
            let key = app.live.key.branchKey
            let (_, link) = try await exchange.friend(named: "mia", of: key, at: "192.0.2.66")
            let click = try #require(try await exchange.get(link, from: "192.0.2.1").linkClickID)
            _ = try await exchange.install(key, ["identity": "ann", "link_identifier": .string(click)], from: "192.0.2.1")
            _ = try await exchange.services.apps.update(app.live.key.scope, settings: ["fraud.rewards_per_day": "0"])
            try await body(Scene(exchange: exchange, app: app))
        }
    }
}
