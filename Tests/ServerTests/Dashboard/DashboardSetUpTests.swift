import Dashboard
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Tokens, domains and settings in the dashboard.
@Suite struct DashboardSetUpTests {
    @Test func aTokenIsShownOnceAndRevokedByItsName() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let path = "/dashboard/apps/\(app.app.id)/tokens"
            #expect(try await browser.get(path).body.contains("Create the first token"))
            let created = try await browser.submit(path, ["name": "reports", "role": "analyst"])
            let secret = String(try #require(created.body.firstMatch(of: /linden_[A-Za-z0-9]{40}/)).0)
            let token = try await exchange.services.tokens.authorize(secret, to: .readTotals, app: app.app.id)
            #expect(token.name == "reports" && token.app == app.app.id && token.role == .analyst)
            let list = try await browser.get(path).body
            #expect(list.contains("reports") && !list.contains(secret))
            #expect(try await browser.submit("\(path)/\(token.id)/revoke", ["confirmation": "other"]).status == 400)
            let revoked = try await browser.submit("\(path)/\(token.id)/revoke", ["confirmation": "reports"])
            #expect(revoked.location == path + "?saved=revoked")
            await #expect(throws: Failure.self) { try await exchange.services.tokens.authorize(secret, to: .readTotals) }
            let nameless = try await browser.submit(path, ["name": "", "role": "admin"])
            #expect(nameless.status == 400 && nameless.body.contains(#"id="fault-name""#))
            let endless = try await browser.submit(path, ["name": "x", "role": "admin", "expires": "soon"])
            #expect(endless.status == 400 && endless.body.contains(#"id="fault-expires""#))
            #expect(try await browser.submit(path, ["name": "expiring", "role": "admin", "expires": "90d"]).status == 200)
            let expiring = try await exchange.services.tokens.find("expiring")
            #expect(expiring.expiresAt == exchange.installation.clock.now + .seconds(90 * 86400))
            let end = try #require(expiring.expiresAt?.iso8601.prefix(10))
            #expect(try await browser.get(path).body.contains(end))
        }
    }

    @Test func aUserOfOneAppHasTokensOfThatAppOnly() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = "/dashboard/apps/\(app.app.id)/tokens"
            let (everywhere, _) = try await exchange.services.tokens.create(name: "everywhere", role: .admin, app: nil)
            var own = try await DashboardBrowser(exchange, as: .admin, app: app.app.id, name: "own")
            #expect(!(try await own.get(path).body.contains("everywhere")))
            #expect(try await own.get("\(path)/\(everywhere.id)/revoke").status == 404)
            _ = try await own.submit(path, ["name": "mine", "role": "admin", "apps": "all"])
            #expect(try await exchange.services.tokens.find("mine").app == app.app.id)
            var all = try await DashboardBrowser(exchange, as: .admin, name: "all")
            _ = try await all.submit(path, ["name": "ours", "role": "admin", "apps": "all"])
            #expect(try await exchange.services.tokens.find("ours").app == nil)
        }
    }

    // MARK: Domains

    @Test func aDomainIsAddedCheckedChangedAndRemoved() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let path = "/dashboard/apps/\(app.app.id)/domains"
            #expect(try await browser.get(path).body.contains("No domain yet"))
            let added = try await browser.submit(path, ["domain": "Links.Orchard.example"])
            #expect(added.location == path + "/links.orchard.example?saved=added")
            let page = try await browser.get(path + "/links.orchard.example").body
            #expect(page.contains("What the doctor finds") && page.contains("Links on links.orchard.example are for Orchard."))
            #expect(page.contains("linden doctor domain links.orchard.example"))
            let changed = try await browser.submit(
                path + "/links.orchard.example", ["root_url": "https://orchard.example.com/", "not_found_url": ""])
            #expect(changed.location == path + "/links.orchard.example?saved=changed")
            #expect(
                try await exchange.services.domains.domain("links.orchard.example")?.pages.rootURL == "https://orchard.example.com/"
            )
            let wrong = try await browser.submit(path + "/links.orchard.example", ["root_url": "nowhere"])
            #expect(wrong.status == 400 && wrong.body.contains(#"id="fault-root_url""#) && wrong.body.contains(#"value="nowhere""#))
            #expect(try await browser.submit(path + "/links.orchard.example/remove", ["confirmation": "x"]).status == 400)
            let removed = try await browser.submit(
                path + "/links.orchard.example/remove", ["confirmation": "links.orchard.example"])
            #expect(removed.location == path + "?saved=removed")
            #expect(try await exchange.services.domains.list(of: app.app.id, limit: 9).domains.isEmpty)
        }
    }

    @Test func aTakenDomainNamesItsAppToUsersOfAllAppsOnly() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp()
            _ = try await exchange.installation.createApp("Meadow", domain: "taken.example")
            let path = "/dashboard/apps/\(orchard.app.id)/domains"
            var all = try await DashboardBrowser(exchange, as: .admin, name: "all")
            var own = try await DashboardBrowser(exchange, as: .admin, app: orchard.app.id, name: "own")
            let (first, second) = (
                try await all.submit(path, ["domain": "taken.example"]), try await own.submit(path, ["domain": "taken.example"])
            )
            #expect(first.status == 409 && first.body.contains("Meadow"))
            #expect(second.status == 409 && !second.body.contains("Meadow"))
            #expect(try await own.submit(path, ["domain": "go.example.com"]).status == 400)
            #expect(try await own.submit(path, ["domain": "no host"]).status == 400)
        }
    }

    // MARK: Settings

    @Test func everySettingIsShownWithItsMeaningAndDefault() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = "/dashboard/apps/\(app.app.id)/settings"
            let admin = try await DashboardBrowser(exchange, as: .admin).get(path).body
            let editor = try await DashboardBrowser(exchange, as: .editor, name: "ed").get(path).body
            for setting in AppSetting.all {
                #expect(admin.contains(#"name="\#(setting.name)""#), "\(setting.name)")
                #expect(editor.contains("<code>\(setting.name)</code>"), "\(setting.name)")
            }
            #expect(admin.contains(#"value="com.example.orchard""#) && editor.contains("com.example.orchard"))
            #expect(!editor.contains("<button class=\"button main\">Save"))
        }
    }

    @Test func settingsAreChangedAndRemovedFieldByField() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let path = "/dashboard/apps/\(app.app.id)/settings"
            // Saved by another user while the form is open.
            _ = try await exchange.services.apps.update(app.live.key.scope, settings: ["ios_bundle_id": "com.example.ios"])
            let answer = try await browser.submit(
                path,
                [
                    "name": "Orchard & sons", "was.name": "Orchard", "web_url": "https://new.example.com",
                    "was.web_url": "https://orchard.example.com", "android_package_name": "",
                    "was.android_package_name": "com.example.orchard", "ios_uri_scheme": "orchard", "was.ios_uri_scheme": "orchard",
                    "redirect_allowlist": "a.example, *.b.example",
                ])
            #expect(answer.location == path + "?saved=changed", "\(answer.body)")
            let stored = try await exchange.services.apps.show("\(app.app.id)").app
            #expect(stored.name == "Orchard & sons")
            #expect(stored.configuration.values["web_url"] == "https://new.example.com")
            #expect(stored.configuration.values["android_package_name"] == nil)
            #expect(stored.configuration.values["ios_bundle_id"] == "com.example.ios")
            #expect(stored.configuration.values["redirect_allowlist"] == ["a.example", "*.b.example"])
            #expect(stored.configuration.values["ios_uri_scheme"] == "orchard")
        }
    }

    @Test func oneMistakeLeavesEverySettingAsItWas() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let path = "/dashboard/apps/\(app.app.id)/settings"
            let before = try await exchange.services.apps.show("\(app.app.id)").app
            let answer = try await browser.submit(
                path, ["name": "Orchard", "was.name": "Orchard", "ios_url": "https://ios.example.com", "web_url": "nowhere"])
            #expect(answer.status == 400 && answer.body.contains(#"id="fault-web_url""#))
            #expect(answer.body.contains(#"value="nowhere""#) && answer.body.contains(#"value="https://ios.example.com""#))
            #expect(try await exchange.services.apps.show("\(app.app.id)").app.configuration == before.configuration)
            let nameless = try await browser.submit(path, ["name": "", "was.name": "Orchard"])
            #expect(nameless.status == 400 && nameless.body.contains(#"id="fault-name""#))
        }
    }

    @Test func theTestSideChangesItsOwnSettingsOnly() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let path = "/dashboard/apps/\(app.app.id).test/settings"
            let page = try await browser.get(path).body
            #expect(page.contains("as on the live side, https://orchard.example.com"))
            #expect(page.contains("Settings that both sides share") && !page.contains(#"name="attribution.fingerprint""#))
            let answer = try await browser.submit(
                path, ["web_url": "https://test.example.com", "attribution.fingerprint": "off", "name": "Other"])
            #expect(answer.status == 303)
            let stored = try await exchange.services.apps.show("\(app.app.id)").app
            #expect(stored.testConfiguration.values == ["web_url": "https://test.example.com"])
            #expect(stored.name == "Orchard" && stored.configuration.values["attribution.fingerprint"] == nil)
        }
    }
}
