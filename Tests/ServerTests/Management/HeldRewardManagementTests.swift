import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

@Suite struct HeldRewardManagementTests {
    /// An app one of whose rewards is granted, and two are held.
    private static func withHeldRewards(_ body: @escaping @Sendable (Exchange, CreatedApp) async throws -> Void) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(
                settings: Installation.settings.merging(["fraud.rewards_per_address": "1"]))
            try await exchange.addRule(try NewRewardRule("install", .actor, 10), for: app)
            for _ in 1...3 { _ = try await exchange.installByLink(app.live.key.branchKey, from: "203.0.113.7") }
            try await body(exchange, app)
        }
    }

    @Test func heldRewardsAreListedReleasedAndRefused() async throws {
        try await Self.withHeldRewards { exchange, app in
            let (admin, analyst) = (try await exchange.token(for: app), try await exchange.token(.analyst, for: app))
            let target = "/api/v1/rewards/held?app=\(app.app.id)"
            let listed = try await exchange.manage(.get, target, token: analyst)
            let held = try #require(listed.object["held"]?.array)
            #expect(held.count == 2 && listed.object["dropped"] == [])
            #expect(held[0].object?["amount"] == 10 && held[0].object?["reasons"]?.array?.count == 1)
            #expect(try await exchange.manage(.get, target + "&address=203.0.113.8", token: analyst).object["held"] == [])
            #expect(try await exchange.manage(.get, target + "&limit=1", token: analyst).object["held"] == [held[0]])

            let decisions = "/api/v1/rewards/held/decisions?app=\(app.app.id)"
            let id = try #require(held[0].object?["id"])
            let released = try await exchange.manage(.post, decisions, token: admin, ["decision": "release", "id": id])
            #expect(released.json == ["decision": "release", "decided": 1, "kept": 0], "\(released.body)")
            #expect(try await exchange.manage(.post, decisions, token: admin, ["decision": "release", "id": id]).status == 404)
            let refused = try await exchange.manage(
                .post, decisions, token: admin, ["decision": "refuse", "all": true, "network": "203.0.113.0/24"])
            #expect(refused.json == ["decision": "refuse", "decided": 1, "kept": 0], "\(refused.body)")
            #expect(try await exchange.manage(.get, target, token: analyst).object["held"] == [])
            try await exchange.expectBooksAreRight()
        }
    }

    @Test(
        arguments: [
            ["decision": "grant", "all": true], ["all": true], ["decision": "release"],
            ["decision": "release", "id": 1, "all": true],
            ["decision": "release", "id": 1, "since": "7d"], ["decision": "release", "network": "203.0.113.0/24"],
            ["decision": "release", "all": true, "since": "soon"], ["decision": "release", "all": "yes"],
        ] as [JSON])
    func anUnclearDecisionIsRefusedAndNothingDecided(body: JSON) async throws {
        try await Self.withHeldRewards { exchange, app in
            let token = try await exchange.token(for: app)
            let answer = try await exchange.manage(
                .post, "/api/v1/rewards/held/decisions?app=\(app.app.id)", token: token, body)
            #expect(answer.status == 400, "\(answer.body)")
            #expect(try await exchange.services.heldRewards.list(app.live.key.scope, limit: 9).count == 2)
        }
    }
}
