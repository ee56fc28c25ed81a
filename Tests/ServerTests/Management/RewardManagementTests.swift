import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct RewardManagementTests {
    @Test func aRuleIsAddedPausedListedAndRemoved() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (admin, analyst) = (try await exchange.token(for: app), try await exchange.token(.analyst, for: app))
            let target = "/api/v1/rewards?app=\(app.app.id)"
            let added = try await exchange.manage(
                .post, target, token: admin,
                [
                    "event": "purchase", "reward": "referrer", "amount": 5, "bucket": "tea", "filter": ["plan": "gold"],
                    "first_only": true, "cap_per_day": 2, "cap_per_user": 9, "days_valid": 30,
                ])
            #expect(added.status == 200, "\(added.body)")
            let id = try #require(added.object["id"]?.string)
            #expect(added.object["warnings"]?.array?.count == 1)
            let rule: JSONObject = [
                "id": .string(id), "event": "PURCHASE", "filter": ["plan": "gold"], "reward": "referrer", "amount": 5,
                "bucket": "tea", "first_only": true, "cap_per_day": 2, "cap_per_user": 9, "days_valid": 30, "paused": false,
            ]
            #expect(added.object.filter { key, _ in key != "warnings" } == rule)
            #expect(
                try await exchange.manage(.get, target, token: analyst).json == ["rewards": [.object(rule)], "next_cursor": nil])

            let path = "/api/v1/rewards/\(id)?app=\(app.app.id)"
            let paused = try await exchange.manage(.patch, path, token: admin, ["paused": true])
            #expect(paused.json == .object(rule.merging(["paused": true])))
            #expect(try await exchange.manage(.delete, path, token: admin).json == ["id": .string(id), "removed": true])
            #expect(try await exchange.manage(.delete, path, token: admin).status == 404)
            #expect(try await exchange.manage(.get, target, token: analyst).json == ["rewards": [], "next_cursor": nil])
        }
    }

    @Test func aRuleRewardsUntilItIsPaused() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (token, key) = (try await exchange.token(for: app), app.live.key.branchKey)
            let added = try await exchange.manage(
                .post, "/api/v1/rewards?app=\(app.app.id)", token: token, ["event": "picked", "reward": "actor", "amount": 5])
            let user = try await exchange.install(key, ["identity": "ann"]).object
            func pick() async throws {
                _ = try await exchange.post(
                    "/v1/event",
                    [
                        "branch_key": .string(key), "event": "picked", "identity_id": user["identity_id"] ?? .null,
                        "device_fingerprint_id": user["device_fingerprint_id"] ?? .null,
                        "session_id": user["session_id"] ?? .null,
                    ])
            }
            try await pick()
            let path = "/api/v1/rewards/\(added.object["id"]?.string ?? "")?app=\(app.app.id)"
            #expect(try await exchange.manage(.patch, path, token: token, ["paused": true]).status == 200)
            try await pick()
            let read = try await exchange.manage(.get, "/api/v1/credits?app=\(app.app.id)&identity=ann", token: token)
            #expect(read.object["balances"] == ["default": 5])
        }
    }

    @Test func aRuleOfAnotherAppOrSideIsAnsweredLikeNone() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp()
            let meadow = try await exchange.installation.createApp("Meadow")
            let (own, other) = (try await exchange.token(for: orchard), try await exchange.token(for: meadow))
            let target = "/api/v1/rewards?app=\(orchard.app.id)"
            let body: JSON = ["event": "picked", "reward": "actor", "amount": 5]
            let id = try await exchange.manage(.post, target, token: own, body).object["id"]?.string ?? ""
            for (app, token, status) in [
                ("\(orchard.app.id)", other, 403), ("\(meadow.app.id)", other, 404), (orchard.test.key.branchKey, own, 404),
            ] {
                let path = "/api/v1/rewards/\(id)?app=\(app)"
                #expect(try await exchange.manage(.patch, path, token: token, ["paused": true]).status == status)
                #expect(try await exchange.manage(.delete, path, token: token).status == status)
            }
            let rule = try await exchange.manage(.get, target, token: own).object["rewards"]?.array?.first?.object
            #expect(rule?["paused"] == false)
        }
    }

    private static let wrong: [(JSON, String)] = [
        (["reward": "actor", "amount": 5], "event is missing"), (["event": "picked", "amount": 5], "reward is missing"),
        (["event": "picked", "reward": "all", "amount": 5], "reward must be one of actor, referrer"),
        (["event": "picked", "reward": "actor"], "amount must be a whole number"),
        (["event": "picked", "reward": "actor", "amount": 5, "filter": 5], "filter must be an object"),
        (["event": "picked", "reward": "actor", "amount": 5, "filter": ["a": []]], "filter must compare"),
        (["event": "picked", "reward": "actor", "amount": 5, "cap_per_day": 0], "A cap per day"),
        (["event": "picked", "reward": "actor", "amount": 5, "first_only": "yes"], "first_only must be true or false"),
        (["event": "picked", "reward": "actor", "amount": 5, "weight": 5], "weight is not a member of a rule"),
    ]

    @Test(arguments: wrong)
    func badInputIsNamedAndAddsNothing(body: JSON, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let target = "/api/v1/rewards?app=\(app.app.id)"
            let answer = try await exchange.manage(.post, target, token: token, body)
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
            #expect(try await exchange.manage(.get, target, token: token).json == ["rewards": [], "next_cursor": nil])
        }
    }
}
