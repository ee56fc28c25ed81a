import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The role and the app of a token are checked before anything is looked up.
@Suite struct ManagementRolesTests {
    private static let changes: [(method: HTTPRequest.Method, path: String, body: JSON?)] = [
        (.post, "/api/v1/links?app=APP", ["channel": "mail"]), (.patch, "/api/v1/links/LINK", ["channel": "mail"]),
        (.delete, "/api/v1/links/LINK", nil),
    ]

    @Test(arguments: changes)
    func aRoleThatIsTooSmallLearnsNothing(method: HTTPRequest.Method, path: String, body: JSON?) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
            let link = try await exchange.services.links.find("pears")
            let existing = path.replacing("APP", with: "\(app.app.id)").replacing("LINK", with: "\(link.id)")
            let unknown = path.replacing("APP", with: "1").replacing("LINK", with: "1")
            let analyst = try await exchange.token(.analyst, for: app)
            for (token, status) in [(nil, 401), ("linden_x", 401), (analyst, 403)] as [(String?, Int)] {
                let answers = [
                    try await exchange.manage(method, existing, token: token, body),
                    try await exchange.manage(method, unknown, token: token, body),
                    try await exchange.manage(method, existing + (existing.contains("?") ? "&" : "?") + "x=1", token: token, "x"),
                ]
                for answer in answers {
                    #expect(answer.status == status)
                    #expect(answer.body == answers[0].body)
                }
            }
            let stored = try #require(try await exchange.services.links.link(link.id))
            #expect(stored.deletedAt == nil)
            #expect(stored.labels.channel == nil)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == 1)
        }
    }

    @Test func linksThatAreCreatedWithATokenCountAgainstItsRate() async throws {
        try await Exchange.runLimited {
            $0[.createLink] = RateLimits.Allowed(address: .unlimited, secret: Rate(perMinute: 2))
        } _: { exchange, key, _ async throws in
            let token = try await exchange.token()
            var statuses: [Int] = []
            for _ in 0..<3 {
                statuses.append(try await exchange.manage(.post, "/api/v1/links?app=\(key)", token: token, [:]).status)
            }
            #expect(statuses == [200, 200, 429])
            #expect(try await exchange.manage(.get, "/api/v1/links?app=\(key)", token: token).status == 200)
        }
    }

    @Test(arguments: [true, false]) func eachLinkOfAFileCounts(isDryRun: Bool) async throws {
        try await Exchange.runLimited {
            $0[.createLink] = RateLimits.Allowed(address: .unlimited, secret: Rate(perMinute: 10))
        } _: { exchange, key, _ async throws in
            let token = try await exchange.token()
            var statuses: [Int] = []
            for number in 1...2 {
                let file = "alias\n" + (1...8).map { "pears-\(number)-\($0)\n" }.joined()
                let answer = try await exchange.send(
                    .post, "/api/v1/links/import?app=\(key)&dry_run=\(isDryRun)", headers: [.authorization: "Bearer " + token],
                    body: Array(file.utf8))
                statuses.append(answer.status)
            }
            #expect(statuses == [200, 429])
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links") == (isDryRun ? 0 : 8))
        }
    }

    @Test func eachLinkOfAChangeOfSeveralCounts() async throws {
        try await Exchange.runLimited {
            $0[.changeLink] = RateLimits.Allowed(address: .unlimited, secret: Rate(perMinute: 10))
        } _: { exchange, key, _ async throws in
            let token = try await exchange.token()
            let ids = JSON.array((1...8).map { .string("\($0)") })
            var statuses: [Int] = []
            for _ in 1...2 {
                statuses.append(
                    try await exchange.manage(
                        .patch, "/api/v1/links?app=\(key)", token: token, ["links": ids, "delete": true]
                    ).status)
            }
            #expect(statuses == [200, 429])
        }
    }

    @Test func aPreviewFindsOnlyLinksOfTheAppOfItsToken() async throws {
        try await Exchange.run { exchange in
            var apps: [CreatedApp] = []
            for (name, alias) in [("orchard", "summer"), ("meadow", "summer"), ("forest", "launch"), ("garden", "launch")] {
                let app = try await exchange.installation.createApp(name)
                _ = try await exchange.services.domains.add("go.\(name).example", to: app.live.key.scope)
                _ = try await exchange.createLink(app.live.key.branchKey, ["alias": .string(alias)])
                apps.append(app)
            }
            let token = try await exchange.token(.analyst, for: apps[0])
            let own = try await exchange.manage(.get, "/api/v1/preview?link=summer", token: token)
            #expect(own.object["url"] == "https://go.orchard.example/summer")
            for others in ["launch", "https://go.meadow.example/summer", "https://go.nowhere.example/summer"] {
                let answer = try await exchange.manage(.get, "/api/v1/preview?link=\(others)", token: token)
                #expect(answer.status == 404)
                #expect(!answer.body.contains("example"), "\(answer.body)")
            }
            let ambiguous = try await exchange.manage(.get, "/api/v1/preview?link=launch", token: try await exchange.token())
            #expect(ambiguous.status == 409)
            #expect(ambiguous.body.contains("https://go.forest.example/launch https://go.garden.example/launch"))
        }
    }

    @Test func aLinkOfAnotherAppIsAnsweredLikeNone() async throws {
        try await Exchange.run { exchange in
            let (orchard, meadow) = (
                try await exchange.installation.createApp(), try await exchange.installation.createApp("Meadow")
            )
            _ = try await exchange.createLink(orchard.live.key.branchKey, ["alias": "pears"])
            let link = try await exchange.services.links.find("pears").id
            let (own, other) = (try await exchange.token(for: orchard), try await exchange.token(for: meadow))
            for suffix in ["", "/statistics", "/clicks"] {
                let path = "/api/v1/links/\(link)" + suffix
                #expect(try await exchange.manage(.get, path, token: own).status == 200)
                let answer = try await exchange.manage(.get, path, token: other)
                #expect(answer.status == 404)
                #expect(answer.errorMessage == "There is no link \(link).")
            }
            #expect(try await exchange.manage(.delete, "/api/v1/links/\(link)", token: other).status == 404)
            #expect(try await exchange.manage(.get, "/api/v1/links/1", token: own).errorMessage == "There is no link 1.")
            #expect(try await exchange.manage(.get, "/api/v1/links/pears", token: own).status == 404)
            for list in ["links", "clicks", "sessions"] {
                let target = "/api/v1/\(list)?app=\(orchard.app.id)"
                #expect(try await exchange.manage(.get, target, token: own).status == 200)
                let refused = try await exchange.manage(.get, target, token: other)
                #expect(refused.status == 403)
                // An app that does not exist is answered like one of others.
                let missing = try await exchange.manage(.get, "/api/v1/\(list)?app=1", token: other)
                #expect((missing.status, missing.body) == (refused.status, refused.body))
            }
        }
    }
}
