import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct TokenManagementTests {
    @Test func aTokenIsCreatedUsedListedAndRevoked() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let admin = try await exchange.token()
            let created = try await exchange.manage(
                .post, "/api/v1/tokens", token: admin,
                ["name": "reports", "role": "analyst", "app": .string(app.live.key.branchKey)])
            #expect(created.status == 200)
            #expect(created.object["app_id"] == .string("\(app.app.id)"))
            let (secret, id) = (
                try #require(created.object["token"]?.string), try #require(created.object["token_id"]?.string)
            )
            #expect(try await exchange.manage(.get, "/api/v1/links?app=\(app.app.id)", token: secret).status == 200)
            #expect(try await exchange.manage(.post, "/api/v1/tokens", token: secret, [:]).status == 403)

            let listed = try await exchange.manage(.get, "/api/v1/tokens", token: secret)
            #expect(listed.object["tokens"]?.array?.compactMap { $0.object?["name"]?.string } == ["reports"])
            #expect(!listed.body.contains(secret))
            let everything = try await exchange.manage(.get, "/api/v1/tokens", token: admin)
            #expect(everything.object["tokens"]?.array?.count == 2)

            let removed = try await exchange.manage(.delete, "/api/v1/tokens/\(id)", token: admin)
            #expect(removed.json == ["token_id": .string(id), "revoked": true])
            #expect(try await exchange.manage(.get, "/api/v1/tokens", token: secret).status == 401)
            #expect(try await exchange.manage(.delete, "/api/v1/tokens/\(id)", token: admin).status == 404)
            let after = try await exchange.manage(.get, "/api/v1/tokens", token: admin).object["tokens"]?.array ?? []
            #expect(after.compactMap { $0.object?["revoked_at"]?.string }.count == 1)
        }
    }

    /// Otherwise a token of one app could make itself one of all apps.
    @Test func aTokenOfOneAppCreatesAndRevokesTokensOfThatAppOnly() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp()
            let meadow = try await exchange.installation.createApp("Meadow")
            let token = try await exchange.token(for: orchard)
            let created = try await exchange.manage(
                .post, "/api/v1/tokens", token: token, ["name": "second", "role": "admin"])
            #expect(created.object["app_id"] == .string("\(orchard.app.id)"))
            let secret = try #require(created.object["token"]?.string)
            #expect(try await exchange.manage(.get, "/api/v1/links?app=\(orchard.app.id)", token: secret).status == 200)
            #expect(try await exchange.manage(.get, "/api/v1/links?app=\(meadow.app.id)", token: secret).status == 403)

            let refused = try await exchange.manage(
                .post, "/api/v1/tokens", token: token,
                ["name": "other", "role": "analyst", "app": .string("\(meadow.app.id)")])
            #expect(refused.status == 403)

            let tokens = exchange.services.tokens
            for app in [meadow.app.id, nil] {
                let other = try await tokens.create(name: "other", role: .admin, app: app)
                let answer = try await exchange.manage(.delete, "/api/v1/tokens/\(other.token.id)", token: token)
                #expect(answer.status == 404)
                #expect(answer.errorMessage == "There is no valid token \(other.token.id).")
                #expect(try await exchange.manage(.get, "/api/v1/apps", token: other.secret).status == 200)
            }
            let listed = try await exchange.manage(.get, "/api/v1/tokens", token: token)
            #expect(listed.object["tokens"]?.array?.count == 2)
            #expect(!listed.body.contains("other"))
        }
    }

    private static let wrong: [(JSON, String)] = [
        ([:], "name is missing"), (["name": "x"], "role is missing"), (["name": "x", "role": "owner"], "role must be one of"),
        (["name": "x", "role": 5], "role must be a string"), (["name": "x", "role": "admin", "app": "none"], "none"),
        (["name": .string(String(repeating: "x", count: 129)), "role": "admin"], "1 to 128 characters"),
        (["name": "x", "role": "admin", "days": 5], "days is not a member of a token that can be set here"),
    ]

    @Test(arguments: wrong)
    func badInputIsNamedAndCreatesNothing(body: JSON, says: String) async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let answer = try await exchange.manage(.post, "/api/v1/tokens", token: token, body)
            #expect([400, 404].contains(answer.status))
            #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM access_tokens") == 1)
        }
    }
}
