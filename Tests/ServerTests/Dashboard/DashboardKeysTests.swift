import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Apps that are created, and keys and secrets that are replaced, in the dashboard.
@Suite struct DashboardKeysTests {
    @Test func anAppIsCreatedAndItsSecretsAreShownOnce() async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            #expect(try await browser.get("/dashboard").body.contains("/dashboard/new-app"))
            let answer = try await browser.submit(
                "/dashboard/new-app", ["name": "Grove", "web_url": "https://grove.example.com/", "domain": "go.grove.example"])
            #expect(answer.status == 200, "\(answer.body)")
            let app = try #require(try await exchange.services.apps.list().first)
            #expect(app.app.name == "Grove" && app.domains.map(\.host) == ["go.grove.example"])
            #expect(app.app.configuration.values["web_url"] == "https://grove.example.com/")
            let secret = try #require(answer.body.firstMatch(of: /secret_live_\w+/)).output
            let live = try await exchange.services.directory.app(branchKey: app.keys[0].branchKey)
            #expect(exchange.services.directory.accepts(String(secret), of: live))
            #expect(answer.body.contains(app.keys[0].branchKey) && answer.headers[.cacheControl] == "no-store")
            #expect(try await !browser.get("/dashboard/apps/\(app.app.id)/keys").body.contains("secret_live_"))
        }
    }

    @Test(
        arguments: [
            (["name": ""], "name"), (["name": "Grove", "web_url": "grove"], "web_url"),
            (["name": "Grove", "domain": "not a host"], "domain"),
        ])
    func anAppThatCannotBeIsNotCreated(fields: [String: String], field: String) async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let answer = try await browser.submit("/dashboard/new-app", fields)
            #expect(answer.status == 400 && answer.body.contains(#"id="fault-\#(field)""#), "\(answer.body)")
            #expect(!answer.body.contains("notice problem"))
            #expect(try await exchange.services.apps.list().isEmpty)
        }
    }

    @Test func aNewKeyIsShownWithTheOverlapOfTheFormerOne() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let path = "/dashboard/apps/\(app.app.id)/keys"
            let former = app.live.key.branchKey
            let rotated = try await browser.submit(path + "/rotate-key", ["overlap": "30d"])
            let end = (exchange.installation.clock.now + .seconds(30 * 86400)).iso8601
            #expect(rotated.body.contains(former) && rotated.body.contains(end), "\(rotated.body)")
            let keys = try await exchange.services.apps.show(former).keys.filter { $0.scope.mode == .live }
            #expect(keys.count == 2 && rotated.body.contains(keys[0].branchKey))
            #expect(try await browser.get(path).body.contains("former, accepted until \(end)"))

            let current = try await browser.get("\(path)/\(keys[0].branchKey)/end")
            #expect(current.status == 404)
            #expect(try await browser.submit("\(path)/\(former)/end", ["confirmation": "x"]).status == 400)
            #expect(try await browser.submit("\(path)/\(former)/end", ["confirmation": former]).location == path + "?saved=ended")
            #expect(try await exchange.post("/v1/url", ["branch_key": .string(former)]).status == 400)
        }
    }

    @Test func aNewSecretIsShownOnceAndTheFormerOneEnds() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let path = "/dashboard/apps/\(app.app.id)/keys"
            let wrong = try await browser.submit(path + "/rotate-secret", ["overlap": "soon"])
            #expect(wrong.status == 400 && wrong.body.contains(#"id="fault-secret-overlap">The overlap must be"#))
            #expect(wrong.body.contains(#"value="soon""#) && !wrong.body.contains("fault-key-overlap"))
            let rotated = try await browser.submit(path + "/rotate-secret", ["overlap": "7d"])
            let secret = String(try #require(rotated.body.firstMatch(of: /secret_live_\w+/)).output)
            func accepts(_ secret: String) async throws -> Bool {
                let context = try await exchange.services.directory.app(branchKey: app.live.key.branchKey)
                return exchange.services.directory.accepts(secret, of: context)
            }
            #expect(secret != app.live.secret)
            #expect(try await accepts(secret))
            #expect(try await accepts(app.live.secret))
            #expect(try await !browser.get(path).body.contains(secret))
            let ended = try await browser.submit(path + "/end-secrets", ["confirmation": "Orchard"])
            #expect(ended.location == path + "?saved=secrets")
            #expect(try await !accepts(app.live.secret))
            #expect(try await accepts(secret))
            let entries = try await exchange.auditEntries().filter { $0.actorKind == .user }
            #expect(
                Set(entries.map(\.subject.noun)).isSuperset(of: ["secret"])
                    && entries.allSatisfy { $0.details.text?.contains(secret) == false })
        }
    }

    @Test func anAdministratorOfOneAppSeesNoKeys() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let browser = try await DashboardBrowser(exchange, as: .admin, app: app.app.id)
            let path = "/dashboard/apps/\(app.app.id)"
            #expect(try await browser.get(path + "/keys").status == 403)
            #expect(try await browser.get("/dashboard/new-app").status == 403)
            #expect(try await !browser.get(path).body.contains(path + "/keys"))
            #expect(try await browser.get(path + "/audit").status == 200)
        }
    }
}
