import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct DomainManagementTests {
    @Test func aDomainIsAddedChangedListedAndRemoved() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (admin, analyst) = (try await exchange.token(.admin, for: app), try await exchange.token(.analyst, for: app))
            let target = "/api/v1/domains?app=\(app.app.id)"
            let added = try await exchange.manage(.post, target, token: admin, ["domain": "GO.orchard.example"])
            #expect(added.status == 200)
            #expect(added.json == ["domain": "go.orchard.example", "app_id": .string("\(app.app.id)"), "mode": "live"])
            let other = try await exchange.manage(
                .post, "/api/v1/domains?app=\(app.test.key.branchKey)", token: admin, ["domain": "test.orchard.example"])
            #expect(other.object["mode"] == "test")

            let path = "/api/v1/domains/go.orchard.example"
            let changed = try await exchange.manage(
                .patch, path, token: admin,
                ["root_url": "https://orchard.example.com/", "expired_url": "https://orchard.example.com/over"])
            #expect(changed.object["root_url"] == "https://orchard.example.com/")
            let cleared = try await exchange.manage(.patch, path, token: admin, ["expired_url": nil])
            #expect(cleared.object["expired_url"] == .null)
            #expect(cleared.object["root_url"] == "https://orchard.example.com/")
            #expect(try await exchange.get("/", host: "go.orchard.example").location == "https://orchard.example.com/")

            let listed = try await exchange.manage(.get, target, token: analyst)
            #expect(listed.object["domains"]?.array?.count == 1)
            let both = try await exchange.manage(.get, "/api/v1/domains", token: analyst)
            let hosts = both.object["domains"]?.array?.compactMap { $0.object?["domain"]?.string }
            #expect(hosts?.sorted() == ["go.orchard.example", "test.orchard.example"])

            let all = try await exchange.token()
            let removed = try await exchange.manage(.delete, path, token: all)
            #expect(removed.json == ["domain": "go.orchard.example", "removed": true])
            #expect(try await exchange.manage(.delete, path, token: all).status == 404)
            #expect(try await exchange.manage(.get, target, token: analyst).object["domains"] == [])
        }
    }

    /// Without a domain, an app is among those that may open the links of the base URL's host, with those of other apps.
    @Test func anOperatorOfOneAppCannotMakeItShareAHostWithOthers() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp(
                settings: DomainRoutesTests.settings, domain: "go.orchard.example")
            let token = try await exchange.token(for: orchard)
            let (path, base) = ("/api/v1/domains/go.orchard.example", "/api/v1/domains?app=\(orchard.app.id)")
            let refused = try await exchange.manage(.delete, path, token: token)
            #expect(refused.status == 403)
            #expect(refused.errorMessage?.contains("is the only domain of the app's links") == true)
            var browser = try await DashboardBrowser(exchange, as: .admin, app: orchard.app.id)
            let removal = "/dashboard/apps/\(orchard.app.id)/domains/go.orchard.example/remove"
            #expect(try await browser.submit(removal, ["confirmation": "go.orchard.example"]).status == 403)
            let file = try await exchange.get("/.well-known/apple-app-site-association", host: "go.example.com")
            #expect(!file.body.contains("com.example.orchard"))

            _ = try await exchange.manage(.post, base, token: token, ["domain": "new.orchard.example"])
            #expect(try await exchange.manage(.delete, path, token: token).status == 200)
            // The test side's links are opened by builds that are not in the stores.
            let test = "/api/v1/domains?app=\(orchard.test.key.branchKey)"
            _ = try await exchange.manage(.post, test, token: token, ["domain": "test.orchard.example"])
            #expect(try await exchange.manage(.delete, "/api/v1/domains/test.orchard.example", token: token).status == 200)
        }
    }

    @Test func aDomainOfAnotherAppIsAnsweredLikeNone() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp(domain: "go.orchard.example")
            let meadow = try await exchange.installation.createApp("Meadow", domain: "go.meadow.example")
            let (token, all) = (try await exchange.token(for: meadow), try await exchange.token())
            for (method, body) in [(.patch, ["root_url": ""]), (.delete, nil)] as [(HTTPRequest.Method, JSON?)] {
                let answers = [
                    try await exchange.manage(method, "/api/v1/domains/go.orchard.example", token: token, body),
                    try await exchange.manage(method, "/api/v1/domains/go.nothing.example", token: token, body),
                ]
                #expect(answers.map(\.status) == [404, 404])
                #expect(answers[0].body == answers[1].body.replacing("nothing", with: "orchard"))
            }
            let listed = try await exchange.manage(.get, "/api/v1/domains", token: token)
            #expect(!listed.body.contains("orchard"))
            #expect(listed.body.contains("go.meadow.example"))
            let everything = try await exchange.manage(.get, "/api/v1/domains", token: all)
            #expect(everything.object["domains"]?.array?.count == 2)

            // What is taken is said without the name and the key of the app that has it, but to a token of all apps.
            let target = "/api/v1/domains?app=\(meadow.app.id)"
            let taken = try await exchange.manage(.post, target, token: token, ["domain": "go.orchard.example"])
            #expect(taken.status == 409)
            #expect(taken.errorMessage == "go.orchard.example is the domain of an app already.")
            let named = try await exchange.manage(.post, target, token: all, ["domain": "go.orchard.example"])
            #expect(named.status == 409)
            #expect(named.errorMessage?.contains(orchard.live.key.branchKey) == true)
        }
    }

    @Test func onlyATokenOfAllAppsChangesWhatOtherAppsShare() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp(domain: "go.orchard.example")
            let meadow = try await exchange.installation.createApp("Meadow")
            let (token, all) = (try await exchange.token(for: orchard), try await exchange.token())
            let base = "/api/v1/domains?app=\(orchard.app.id)"
            #expect(try await exchange.manage(.post, base, token: token, ["domain": "go.example.com"]).status == 403)
            #expect(try await exchange.manage(.post, base, token: token, ["domain": "GO.example.com"]).status == 403)

            let path = "/api/v1/domains/go.orchard.example/apps/\(meadow.app.id)"
            for method in [HTTPRequest.Method.put, .delete] {
                #expect(try await exchange.manage(method, path, token: token).status == 403)
            }
            let associated = try await exchange.manage(.put, path, token: all)
            #expect(
                associated.json
                    == ["domain": "go.orchard.example", "app_id": .string("\(meadow.app.id)"), "associated": true])
            #expect(try await exchange.manage(.put, path, token: all).status == 409)
            let listed = try await exchange.manage(.get, base, token: token)
            #expect(
                listed.object["domains"]?.array?.first?.object?["associated_app_ids"] == [.string("\(meadow.app.id)")])
            #expect(try await exchange.manage(.delete, path, token: all).object["associated"] == false)
            #expect(try await exchange.manage(.delete, path, token: all).status == 404)
            #expect(try await exchange.manage(.post, base, token: all, ["domain": "go.example.com"]).status == 200)
        }
    }

    private static let wrong: [(HTTPRequest.Method, String, JSON, String)] = [
        (.post, "?app=APP", [:], "domain is missing"), (.post, "?app=APP", ["domain": "https://x.example"], "without scheme"),
        (.post, "?app=APP", ["domain": 5], "domain must be a string"), (.post, "", ["domain": "x.example"], "app is missing"),
        (.post, "?app=APP", ["host": "x.example"], "host is not a member of a domain that can be set here"),
        (.post, "?app=APP&x=1", ["domain": "x.example"], "x is not a parameter"),
        (.patch, "/go.orchard.example", [:], "Give at least one of root_url, not_found_url, expired_url"),
        (.patch, "/go.orchard.example", ["root_url": "go"], "root_url must be a URL"),
        (.patch, "/go.orchard.example", ["root_url": "https://go.orchard.example/x"], "could redirect to itself"),
        (.patch, "/go.orchard.example", ["color": "red"], "color is not a member"),
    ]

    @Test(arguments: wrong)
    func badInputIsNamedAndChangesNothing(method: HTTPRequest.Method, suffix: String, body: JSON, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: "go.orchard.example")
            let token = try await exchange.token(for: app)
            let before = try await exchange.manage(.get, "/api/v1/domains", token: token).body
            let answer = try await exchange.manage(
                method, "/api/v1/domains" + suffix.replacing("APP", with: "\(app.app.id)"), token: token, body)
            #expect(answer.status == 400)
            #expect(answer.errorMessage?.contains(says) == true, "\(answer.body)")
            #expect(try await exchange.manage(.get, "/api/v1/domains", token: token).body == before)
        }
    }
}
