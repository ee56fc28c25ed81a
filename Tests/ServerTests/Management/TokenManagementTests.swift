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

            for other in ["\(meadow.app.id)", "1"] {
                let refused = try await exchange.manage(
                    .post, "/api/v1/tokens", token: token, ["name": "other", "role": "analyst", "app": .string(other)])
                #expect(refused.status == 403, "the same for one that there is not")
            }

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
        (["name": "x", "role": "admin", "expires": "soon"], "expires must be never, a number of days"),
        (["name": "x", "role": "admin", "expires": "0d"], "expires must be never"),
        (["name": "x", "role": "admin", "expires": "2026-01-01"], "in the future"),
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

    /// The matrix of the authorization tests has each route; these are the edges of the role's purpose.
    @Test func aTokenForIngestCreatesLinksAndMovesCreditsButReadsAndChangesNothing() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(.ingest, for: app)
            let created = try await exchange.manage(.post, "/api/v1/links?app=\(app.app.id)", token: token, ["alias": "pears"])
            #expect(created.status == 200)
            let link = try #require(created.object["id"]?.string)
            // It learns nothing of links that others made.
            let other = try await exchange.token(.editor, for: app)
            let key: HTTPFields = [HTTPField.Name("Idempotency-Key")!: "poster"]
            let links = "/api/v1/links?app=\(app.app.id)"
            let theirs = try await exchange.manage(.post, links, token: other, ["alias": "figs", "channel": "mail"], headers: key)
            #expect(theirs.status == 200)
            let taken = try await exchange.manage(.post, links, token: token, ["alias": "figs"])
            #expect(taken.status == 409 && !taken.body.contains("mail") && !taken.body.contains("differences"))
            let repeated = try await exchange.manage(.post, links, token: token, ["channel": "sms"], headers: key)
            #expect(repeated.object["id"] != theirs.object["id"] && repeated.object["channel"] == "sms")
            // Nor of what an editor made of its own.
            let edits: JSONObject = ["data": ["discount": "secret"], "folder": "spring", "channel": "push", "max_clicks": 7]
            _ = try await exchange.manage(
                .patch, "/api/v1/links/\(repeated.object["id"]?.string ?? "")", token: other, .object(edits))
            let again = try await exchange.manage(.post, links, token: token, ["channel": "sms"], headers: key)
            #expect(again.bytes == repeated.bytes, "\(again.body)")
            let template = LinkTemplate(name: "newsletter", data: ["discount": "code"])
            try await exchange.services.linkTemplates.save(template, in: app.live.key.scope)
            let filled = try await exchange.manage(.post, links, token: token, ["template": "newsletter"])
            #expect(filled.status == 403 && !filled.body.contains("discount"))
            #expect(filled.errorMessage?.contains("A link by a template") == true, "\(filled.body)")
            let granted = try await exchange.manage(
                .post, "/api/v1/credits/grants?app=\(app.app.id)", token: token, ["identity": "ann", "amount": 5])
            #expect(granted.status == 200)

            let changed = try await exchange.manage(
                .patch, "/api/v1/links/\(link)", token: token, ["data": ["$fallback_url": "https://other.example/"]])
            #expect(changed.status == 403)
            #expect(changed.errorMessage == "This call needs a token of the role admin or editor, not ingest.")
            let read = try await exchange.manage(.get, "/api/v1/links/\(link)", token: token)
            #expect(read.errorMessage == "This call needs a token of the role admin, editor, analyst or support, not ingest.")
        }
    }

    /// So that a version before a role was added does not take its tokens for more than they are.
    @Test func aTokenOfAnUnknownRoleIsRefused() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            #expect(try await status(exchange, token) == 200)
            try await exchange.change("UPDATE access_tokens SET role = 'owner'")
            #expect(try await status(exchange, token) == 401)
            for role in Role.allCases {
                try await exchange.change("UPDATE access_tokens SET role = '\(role.rawValue)'")
                #expect(try await status(exchange, token) != 401)
            }
        }
    }

    private func status(_ exchange: Exchange, _ secret: String) async throws -> Int {
        try await exchange.manage(.get, "/api/v1/tokens", token: secret).status
    }

    @Test func aTokenIsRefusedOnceItHasExpired() async throws {
        try await Exchange.run { exchange in
            let admin = try await exchange.token()
            let created = try await exchange.manage(
                .post, "/api/v1/tokens", token: admin, ["name": "reports", "role": "analyst", "expires": "12h"])
            let secret = try #require(created.object["token"]?.string)
            let clock = exchange.installation.clock
            #expect(created.object["expires_at"] == .string((clock.now + .seconds(12 * 3600)).iso8601))

            clock.advance(by: .seconds(12 * 3600) - .milliseconds(1))
            #expect(try await status(exchange, secret) == 200)
            clock.advance(by: .milliseconds(1))
            #expect(try await status(exchange, secret) == 401)
            #expect(try await status(exchange, admin) == 200)
        }
    }

    @Test func theFormerSecretOfARotatedTokenIsAcceptedUntilTheOverlapEnds() async throws {
        try await Exchange.run { exchange in
            let clock = exchange.installation.clock
            let admin = try await exchange.token()
            let created = try await exchange.services.tokens.create(
                name: "reports", role: .analyst, app: nil, expires: .after(.seconds(30 * 86400)))
            let path = "/api/v1/tokens/\(created.token.id)/secrets"
            clock.advance(by: .seconds(86400))

            let rotated = try await exchange.manage(.post, path, token: admin, ["overlap": "2d"])
            let second = try #require(rotated.object["token"]?.string)
            #expect(rotated.object["token_id"] == .string("\(created.token.id)"))
            #expect(rotated.object["rotated_at"] == .string(clock.now.iso8601))
            #expect(rotated.object["former_ends_at"] == .string((clock.now + .seconds(2 * 86400)).iso8601))
            #expect(rotated.object["expires_at"] == .string((clock.now + .seconds(30 * 86400)).iso8601), "as long again")
            for secret in [created.secret, second] { #expect(try await status(exchange, secret) == 200) }
            clock.advance(by: .seconds(2 * 86400))
            #expect(try await status(exchange, created.secret) == 401)
            #expect(try await status(exchange, second) == 200)

            // A rotation within an overlap ends the secret before.
            let third = try await exchange.services.tokens.rotate(
                created.token.id, overlap: .lasting(.seconds(86400)), expires: .never)
            #expect(third.token.expiresAt == nil)
            let fourth = try await exchange.services.tokens.rotate(created.token.id, overlap: .lasting(.zero))
            for secret in [second, third.secret] { #expect(try await status(exchange, secret) == 401) }
            #expect(try await status(exchange, fourth.secret) == 200)

            try await exchange.services.tokens.revoke(created.token.id)
            #expect(try await status(exchange, fourth.secret) == 401)
            #expect(try await exchange.manage(.post, path, token: admin, [:]).status == 404)
        }
    }

    @Test(
        arguments: [
            (["overlap": "forever"], "must end"), (["overlap": "soon"], "overlap must be"),
            (["overlap": "2026-01-01"], "in the future"),
            (["expires": "later"], "expires must be"), (["days": "1"], "days is not a member of a rotation"),
        ] as [(JSON, String)])
    func aWrongRotationIsNamedAndChangesNothing(body: JSON, says: String) async throws {
        try await Exchange.run { exchange in
            let admin = try await exchange.token()
            let (token, secret) = try await exchange.services.tokens.create(name: "reports", role: .analyst, app: nil)

            let answer = try await exchange.manage(.post, "/api/v1/tokens/\(token.id)/secrets", token: admin, body)

            #expect(answer.status == 400 && answer.errorMessage?.contains(says) == true, "\(answer.body)")
            #expect(try await status(exchange, secret) == 200)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM access_tokens WHERE rotated_at IS NOT NULL") == 0)
        }
    }

    @Test func theLastUseIsStoredAtMostOnceAMinuteAndIsNoChangeByAnOperator() async throws {
        try await Exchange.run { exchange in
            let clock = exchange.installation.clock
            let (token, secret) = try await exchange.services.tokens.create(name: "reports", role: .analyst, app: nil)
            let entries = try await exchange.auditEntries().count
            #expect(try await exchange.services.tokens.token(token.id)?.lastUsedAt == nil)
            #expect(try await exchange.manage(.post, "/api/v1/tokens", token: secret, [:]).status == 403)
            #expect(try await exchange.services.tokens.token(token.id)?.lastUsedAt == nil, "a refused call is no use")

            let first = clock.now
            for (seconds, stored) in [(0, first), (59, first), (1, first + .seconds(60)), (59, first + .seconds(60))] {
                clock.advance(by: .seconds(seconds))
                #expect(try await status(exchange, secret) == 200)
                #expect(try await exchange.services.tokens.token(token.id)?.lastUsedAt == stored)
            }
            #expect(try await exchange.auditEntries().count == entries)
        }
    }
}
