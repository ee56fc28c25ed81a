import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// What only a token of all apps may do.
@Suite struct AppCreationTests {
    @Test func anAppIsCreatedAndItsKeyAndSecretCreateLinks() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()

            let created = try await exchange.manage(
                .post, "/api/v1/apps", token: token,
                ["name": "Grove", "settings": ["web_url": "https://grove.example.com/"], "domain": "go.grove.example"])

            #expect(created.status == 200, "\(created.body)")
            #expect(created.object["short_url_domain"] == "go.grove.example")
            let (key, secret) = (try #require(created.object["branch_key"]), try #require(created.object["branch_secret"]))
            let link = try await exchange.send(
                .post, "/v1/url", body: JSON.object(["branch_key": key, "branch_secret": secret]).bytes)
            #expect(link.object["url"]?.string?.hasPrefix("https://go.grove.example/") == true, "\(link.body)")
            let id = try #require(created.object["app_id"]?.string)
            let shown = try await exchange.manage(.get, "/api/v1/apps/\(id)", token: token)
            #expect(shown.object["settings"] == ["web_url": "https://grove.example.com/"])
            #expect(!shown.body.contains("secret_live"))
        }
    }

    @Test(
        arguments: [
            ([:], "name is missing"), (["name": ""], "name is missing"), (["name": "Grove", "title": "x"], "title"),
            (["name": "Grove", "settings": ["ios_teamid": "x"]], "Did you mean ios_team_id?"),
            (["name": "Grove", "domain": "not a host"], "host"),
        ] as [(JSON, String)])
    func anAppThatIsDescribedWronglyIsNotCreated(body: JSON, reason: String) async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let refused = try await exchange.manage(.post, "/api/v1/apps", token: token, body)
            #expect(refused.status == 400 && refused.body.contains(reason), "\(refused.body)")
            #expect(try await exchange.services.apps.list().isEmpty)
        }
    }

    @Test func aDomainThatIsTakenCreatesNoApp() async throws {
        try await Exchange.run { exchange in
            let token = try await exchange.token()
            let body: JSON = ["name": "Grove", "domain": "go.grove.example"]
            #expect(try await exchange.manage(.post, "/api/v1/apps", token: token, body).status == 200)
            #expect(try await exchange.manage(.post, "/api/v1/apps", token: token, body).status == 409)
            #expect(try await exchange.services.apps.list().count == 1)
        }
    }

    @Test func aDeletedAppIsRefusedFromThenOn() async throws {
        try await Exchange.run { exchange in
            let (app, token) = (try await exchange.installation.createApp(), try await exchange.token())
            let path = "/api/v1/apps/\(app.app.id)"
            let deleted = try await exchange.manage(.delete, path, token: token)
            #expect(deleted.json == ["app_id": .string("\(app.app.id)"), "deleted": true], "\(deleted.body)")
            #expect(try await exchange.manage(.get, path, token: token).status == 404)
            #expect(try await exchange.manage(.delete, path, token: token).status == 404)
        }
    }

    @Test func aTokenOfOneAppNeitherCreatesNorDeletesApps() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            let created = try await exchange.manage(.post, "/api/v1/apps", token: token, ["name": "Grove"])
            #expect(created.status == 403 && created.body.contains("Only a token of all apps can create an app."))
            #expect(try await exchange.manage(.delete, "/api/v1/apps/\(app.app.id)", token: token).status == 403)
            #expect(try await exchange.services.apps.list().count == 1)
        }
    }
}
