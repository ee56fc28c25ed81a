import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// What the other pages of an app show.
@Suite struct DashboardPagesTests {
    /// The confirmation of an act is behind a page that names its command.
    @Test func everyPageNamesItsCommandAndItsCall() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let objects = try await DashboardObjects(exchange, orchard.app)
            let browser = try await DashboardBrowser(exchange, as: .admin)
            let confirmations = [
                "delete", "remove", "revoke", "refuse", "erase", "end", "end-secrets", "release-all", "refuse-all",
            ]
            let pages = DashboardRoute.all.filter { route in
                route.method == .get && route.access != .anyone && !route.pattern.contains("/account")
                    && !confirmations.contains { route.pattern.hasSuffix("/" + $0) } && !route.pattern.hasSuffix("/reversals")
            }
            #expect(pages.count > 40)
            for route in pages {
                let page = try await browser.get(orchard.path(of: route, setUp: "none", objects))
                guard page.status == 200, page.headers[.contentType]?.hasPrefix("text/html") == true else { continue }
                #expect(page.body.contains(#"<details class="equivalents">"#), "\(route.pattern)")
            }
            let identities = try await browser.get(orchard.path + "/identities").body
            #expect(identities.contains("linden identities show ID --app key_live_"))
        }
    }

    @Test func theStartPageListsTheAppsThatAUserMaySee() async throws {
        try await Exchange.run { exchange in
            let orchard = try await exchange.installation.createApp()
            _ = try await exchange.installation.createApp("Meadow")
            let all = try await DashboardBrowser(exchange, as: .admin).get("/dashboard").body
            let one = try await DashboardBrowser(exchange, as: .admin, app: orchard.app.id, name: "bob").get("/dashboard").body
            #expect(all.contains("Orchard") && all.contains("Meadow"))
            #expect(one.contains("Orchard") && !one.contains("Meadow"))
        }
    }

    @Test func aUserOfTheAppIsLookedUp() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let key = orchard.app.live.key.branchKey
            let meadow = try await exchange.installation.createApp("Meadow")
            let browser = try await DashboardBrowser(exchange, as: .support)
            #expect(try await browser.get(orchard.path + "/identities").status == 200)
            let token = try #require(
                try await exchange.install(key, from: "198.51.100.10").object["identity_id"]?.string)
            let page = try await browser.get(orchard.path + "/identities?identity=\(token)")
            #expect(page.status == 200 && page.body.contains("an anonymous user") && page.body.contains("iOS"))
            #expect(try await browser.get(orchard.path + "/identities?identity=none").status == 404)
            let other = try await browser.get("/dashboard/apps/\(meadow.app.id)/identities?identity=\(token)")
            #expect(other.status == 404)
        }
    }

    @Test func theSetUpNamesSettingsAndFindings() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let page = try await DashboardBrowser(exchange, as: .editor).get(orchard.path + "/set-up").body
            #expect(page.contains(orchard.app.live.key.branchKey) && page.contains("android_package_name"))
            #expect(page.contains("go.example.com, which all apps share") && page.contains("What the doctor finds"))
        }
    }

    @Test func theSetUpHasSnippetsWithTheKeysAndAddressesOfTheApp() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            _ = try await exchange.services.domains.add("links.orchard.example", to: orchard.app.live.key.scope)
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let page = try await browser.get(orchard.path + "/set-up").body
            for title in ["iOS", "Android", "Web", "React Native", "Flutter"] {
                #expect(page.contains("<details><summary>\(title)"), "\(title)")
            }
            let (live, test) = (orchard.app.live.key.branchKey, orchard.app.test.key.branchKey)
            #expect(page.contains("Branch.setAPIUrl(&quot;https://go.example.com&quot;)"))
            #expect(page.contains("&lt;key&gt;live&lt;/key&gt;&lt;string&gt;\(live)&lt;/string&gt;") && page.contains(test))
            #expect(page.contains("applinks:links.orchard.example") && !page.contains("setUseTestBranchKey"))
            #expect(page.contains("branch.init(&quot;\(live)&quot;"))
            let testSide = try await browser.get(orchard.path + ".test/set-up").body
            #expect(testSide.contains("setUseTestBranchKey(true)") && testSide.contains("branch.init(&quot;\(test)&quot;"))
        }
    }

    @Test func timesHaveUTCInTheirTitlesAlsoWithoutScripts() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .support)
            let time = orchard.link.createdAt.iso8601
            let minute = time.prefix(16).replacing("T", with: " ")
            let title = time.prefix(19).replacing("T", with: " ") + " UTC"
            let page = try await browser.get(orchard.linkPath).body
            #expect(page.contains(#"<time datetime="\#(time)" title="\#(title)">\#(minute) UTC</time>"#))
            let module = try #require(page.firstMatch(of: /src="(\/dashboard\/assets\/times-[0-9a-f]+\.js)"/)).1
            #expect(try await browser.get(String(module)).headers[.contentType] == "text/javascript; charset=utf-8")
            exchange.installation.clock.advance(by: .seconds(3))
            let live = try await browser.get(orchard.path + "/live").body
            #expect(live.contains(/<time datetime="[^"]+" title="[0-9-]+ [0-9:]+ UTC">[0-9]{2}:[0-9]{2}:[0-9]{2}<\/time>/))
        }
    }

    @Test func aSessionIsExplained() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .support)
            #expect(try await browser.get(orchard.path + "/sessions").body.contains("/sessions/\(orchard.session)"))
            let page = try await browser.get("\(orchard.path)/sessions/\(orchard.session)").body
            #expect(page.contains("The clicks that were compared") && page.contains("won"))
            #expect(page.contains("What was compared") && page.contains("points"))
            #expect(page.contains("linden explain \(orchard.session)"))
        }
    }
}
