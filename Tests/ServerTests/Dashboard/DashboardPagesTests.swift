import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// What the pages of an app show.
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

    @Test func theOverviewCountsTheLastThirtyDaysAndComparesThem() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let path = exchange.services.links.url(of: orchard.link).replacing("https://go.example.com", with: "")
            exchange.installation.clock.advance(by: .seconds(40 * 86400))
            for _ in 1...3 { _ = try await exchange.get(path, from: "198.51.100.7") }
            let browser = try await DashboardBrowser(exchange, as: .analyst)

            let page = try await browser.get(orchard.path)

            #expect(page.status == 200)
            #expect(
                page.body.contains(
                    #"<span class="label">Clicks</span> <span class="value">3</span> <span class="change">+200 %</span>"#))
            #expect(page.body.contains("3 clicks in the last 30 days, 1 in the 30 days before."))
            #expect(page.body.contains(#"role="img""#) && page.body.contains("Figures as a table"))
            #expect(page.body.contains(#"<a href="\#(orchard.linkPath)">Cox</a>"#))
            #expect(try await browser.get(orchard.path + "?show=installs").body.contains("Installs by day"))
            #expect(try await browser.get(orchard.path + "?show=nonsense").body.contains("Clicks by day"))
        }
    }

    @Test func theOverviewShowsTheVisitsOfRobotsBesideTheClicks() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let path = exchange.services.links.url(of: orchard.link).replacing("https://go.example.com", with: "")
            _ = try await exchange.get(path, userAgent: UserAgents.googlebot)
            exchange.installation.clock.advance(by: .seconds(40 * 86400))
            try await exchange.services.statistics.aggregate()
            for _ in 1...2 { _ = try await exchange.get(path, userAgent: UserAgents.googlebot) }
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            func card(_ value: Int, _ change: String) -> String {
                #"<span class="label">Visits of robots</span> <span class="value">\#(value)</span> <span class="change">\#(change)<"#
            }
            #expect(try await browser.get(orchard.path).body.contains(card(2, "+100 %")))
            #expect(try await browser.get(orchard.path + "?from=90d").body.contains(card(3, "none before")))
            #expect(try await browser.get(orchard.path + "?from=today").body.contains(card(2, "none before")))
        }
    }

    @Test(arguments: [("7d", 7, "day"), ("30d", 30, "day"), ("90d", 90, "week")])
    func theOverviewKeepsItsTimeInTheAddress(from: String, days: Int, step: String) async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let page = try await DashboardBrowser(exchange, as: .analyst).get(orchard.path + "?from=\(from)&show=matched")
            #expect(page.body.contains("The last \(days) days, of which today is not over"))
            #expect(page.body.contains("Matched installs by \(step)"))
            #expect(page.body.contains("100 % of installs matched in the last \(days) days, none in the \(days) days before."))
            #expect(page.body.contains(#"?from=\#(from)&amp;show=installs">Installs</a>"#), "The time is kept by another chart.")
            #expect(page.body.contains(#"?from=7d&amp;show=matched""#), "The chart is kept by another time.")
        }
    }

    @Test func theOverviewOfTodayIsByHour() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let page = try await browser.get(orchard.path + "?from=today").body
            #expect(page.contains("Clicks by hour") && page.contains("1 clicks today, 0 yesterday."))
            #expect(page.contains("Today, which is not over, compared with yesterday until the same hour."))
            #expect(page.contains("/analytics?from=today&amp;granularity=hour"))
            let hours = try #require(page.firstMatch(of: /<polyline class="line previous" points="([^"]*)"/)).1
            #expect(hours.split(separator: " ").count == 24)
            #expect(try await browser.get(orchard.path + "/events?from=today").body.contains("The last 30 days"))
            #expect(try await browser.get(orchard.path + "/analytics?from=today&granularity=hour").status == 200)
        }
    }

    @Test func eachFigureOfTheOverviewLeadsToItsQuestion() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let page = try await browser.get(orchard.path + "?from=7d").body
            let list = try #require(page.firstMatch(of: /<ul class="cards">(.*?)<\/ul>/)).1
            let cards = list.matches(of: /<a href="([^"]*)"/).map { String($0.1).replacing("&amp;", with: "&") }
            #expect(cards.count == 6 && cards.allSatisfy { $0.hasPrefix(orchard.path + "/analytics?") }, "\(cards)")
            for card in cards { #expect(try await browser.get(card).status == 200, "\(card)") }

            // The rows of the top tables.
            for filter in [
                "link=\(orchard.link.id)", "channel=Cox", "platform=ios", "os=IOS", "browser=Safari", "referrer=example.com",
            ] {
                let encoded = DashboardBrowser.encoded(filter).replacing("%2E", with: ".")
                let query = "from=7d&filter=" + encoded
                let path = "\(orchard.path)/analytics?\(query)"
                #expect(page.contains(path.replacing("&", with: "&amp;")), "\(path)")
                #expect(try await browser.get(path).body.contains(#"<td class=number>1</td>"#), "\(path)")
            }
            for values in ["Countries", "Languages", "Platforms", "Operating systems", "Browsers", "Hours", "Referrers"] {
                #expect(page.contains(values + " with the most clicks"), "\(values)")
            }
            #expect(page.firstMatch(of: /filter=hour_of_day%3D\d\d"/) != nil)
        }
    }

    @Test func anAppWithoutTrafficSaysWhatToDoNext() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let browser = try await DashboardBrowser(exchange, as: .admin)
            let path = "/dashboard/apps/\(app.app.id)"
            #expect(try await browser.get(path).body.contains("Nothing has happened yet"))
            #expect(try await browser.get(path + "/links").body.contains("Create the first link"))
            #expect(try await browser.get(path + "/sessions").body.contains(app.live.key.branchKey))
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

    @Test func linksAreSearchedAndShownInPages() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for number in 1...30 {
                _ = try await exchange.createLink(app.live.key.branchKey, ["alias": .string("apple-\(number)"), "channel": "mail"])
            }
            let browser = try await DashboardBrowser(exchange, as: .support)
            let path = "/dashboard/apps/\(app.app.id)/links"
            let first = try await browser.get(path)
            #expect(first.body.contains("apple-30<") && first.body.contains("apple-6<") && !first.body.contains("apple-5<"))
            let next = try #require(first.body.firstMatch(of: /rel="next" href="([^"]*)"/)).1.replacing("&amp;", with: "&")
            let second = try await browser.get(String(next))
            #expect(second.body.contains("apple-5<") && !second.body.contains("apple-6<") && second.body.contains("First page"))
            let found = try await browser.get(path + "?search=apple-17&channel=mail")
            #expect(found.body.contains("apple-17<") && !found.body.contains("apple-16<"))
            #expect(found.body.contains("--search apple-17 --channel mail"))
            #expect(try await browser.get(path + "?channel=sms").body.contains("No link matches"))
            #expect(!first.body.contains("Create a link"))
        }
    }

    @Test func linksAreFoundByEveryLabelTheirIdAndTheTimeOfTheirCreation() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            _ = try await exchange.createLink(key, ["alias": "cox", "feature": "sharing", "stage": "new"])
            _ = try await exchange.createLink(key, ["alias": "gala", "feature": "sharing"])
            let cox = try await exchange.services.links.find("cox")
            let browser = try await DashboardBrowser(exchange, as: .support)
            let path = "/dashboard/apps/\(app.app.id)/links"
            for query in ["?feature=sharing&stage=new", "?search=\(cox.id)", "?from=today&to=today&stage=new"] {
                let page = try await browser.get(path + query).body
                #expect(page.contains("/cox<") && !page.contains("/gala<"), "\(query)")
                let file = try await browser.get(path + ".csv" + query)
                #expect(file.status == 200 && file.body.contains("cox") && !file.body.contains("gala"), "\(query)")
            }
            #expect(try await browser.get(path + "?to=2025-01-05").body.contains("No link matches"))
            #expect(try await browser.get(path + "?from=30d").body.contains("linden links list --app \(key) --from 30d"))
        }
    }

    @Test(arguments: [
        ("from=soon", "from"), ("from=2027-01-02&to=2027-01-01", "from"), ("state=gone", "state"),
        ("search=" + String(repeating: "x", count: 513), "search"),
    ])
    func aMistakeInTheFilterOfLinksIsSaidAtItsField(query: String, field: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let page = try await DashboardBrowser(exchange, as: .support).get("/dashboard/apps/\(app.app.id)/links?\(query)")
            #expect(page.status == 400 && page.body.contains(#"id="fault-\#(field)""#) && !page.body.contains("notice problem"))
        }
    }

    @Test func aListOfLinksShowsTheTitleBesideTheAddress() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            _ = try await exchange.createLink(key, ["alias": "cox", "data": ["$og_title": "A crate of Cox"]])
            _ = try await exchange.createLink(
                key, ["alias": "gala", "data": ["$og_title": "Gala", "$marketing_title": "Autumn mail"]])
            _ = try await exchange.createLink(key, ["alias": "plain"])
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let page = try await browser.get("/dashboard/apps/\(app.app.id)/links").body
            #expect(page.contains(#">A crate of Cox</a><span class="second">go.example.com/cox</span>"#))
            #expect(page.contains(#">Autumn mail</a><span class="second">go.example.com/gala</span>"#))
            #expect(page.contains(">go.example.com/plain</a></td>"))
        }
    }

    @Test func aListOfLinksShowsTheClicksOfThirtyDays() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            _ = try await exchange.createLink(orchard.app.live.key.branchKey, ["alias": "quiet"])
            try await exchange.services.statistics.aggregate()
            let page = try await DashboardBrowser(exchange, as: .editor).get(orchard.path + "/links").body
            #expect(page.contains("Clicks, 30 days") && page.matches(of: /<svg class="spark"/).count == 1)
            #expect(page.contains("filter=link%3D\(orchard.link.id)\">1</a>"))
            let supporter = try await DashboardBrowser(exchange, as: .support, name: "sue").get(orchard.path + "/links").body
            #expect(supporter.contains(#"aria-label="At most 1 a day.""#) && !supporter.contains("filter=link"))
            exchange.installation.clock.advance(by: .seconds(31 * 86_400))
            #expect(
                try await !DashboardBrowser(exchange, as: .editor, name: "eve").get(orchard.path + "/links").body.contains("spark"))
        }
    }

    @Test func aLinkShowsWhereItLeadsAndWhy() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .support)
            let page = try await browser.get(orchard.linkPath).body
            for visitor in ["iPhone", "Android", "Desktop", "Robot"] { #expect(page.contains("<td>\(visitor)</td>")) }
            #expect(page.contains("https://orchard.example.com"))
            #expect(page.contains("Latest clicks, of the last 24 hours"))
            let robots = #"<a href="\#(orchard.linkPath)?visitor=robot#clicks">"#
            #expect(page.contains(robots + #"<span class="label">Robots</span>"#))
            let visits = try await browser.get(orchard.linkPath + "?visitor=robot").body
            #expect(visits.contains("No visits of robots in the last 24 hours"))
            #expect(visits.contains(#"?visitor=robot#clicks" aria-current="page">Robots</a>"#))
            #expect(page.contains(#"<span class="label">Installs</span>"#))
            #expect(!page.contains("/edit"))
            let code = try await browser.get(orchard.linkPath + "/code.svg")
            #expect(code.headers[.contentType] == "image/svg+xml" && code.body.hasPrefix("<svg"))
        }
    }

    @Test func aLinkShowsItsClicksOfThirtyDaysBesideThoseBefore() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let path = exchange.services.links.url(of: orchard.link).replacing("https://go.example.com", with: "")
            exchange.installation.clock.advance(by: .seconds(40 * 86400))
            for _ in 1...3 { _ = try await exchange.get(path, from: "198.51.100.7") }
            _ = try await exchange.get(path, userAgent: UserAgents.googlebot)
            let page = try await DashboardBrowser(exchange, as: .analyst).get(orchard.linkPath).body
            #expect(page.contains("3 clicks by people, after 1 in the 30 days before: +200 %."))
            #expect(page.contains("3 clicks in the last 30 days, 1 in the 30 days before."))
            #expect(page.contains(#"<td class=number>3</td><td class=number>0</td>"#))
            #expect(page.contains("/analytics?filter=link%3D\(orchard.link.id)"))
            let support = try await DashboardBrowser(exchange, as: .support, name: "bob").get(orchard.linkPath).body
            #expect(support.contains("3 clicks by people") && !support.contains("/analytics?"))
        }
    }

    @Test func changesAreMarkedInTheChartsForThoseWhoMayReadThem() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            exchange.installation.clock.advance(by: .seconds(86_400))
            var browser = try await DashboardBrowser(exchange, as: .admin)
            _ = try await browser.submit(orchard.linkPath, ["campaign": "harvest", "$og_title": "Cox"])
            let page = try await browser.get(orchard.linkPath).body
            #expect(page.contains("2: ") && page.contains(": changed by user ann@orchard.example</li>"))
            #expect(page.matches(of: /<line class="mark"/).count == 2)
            let analyst = try await DashboardBrowser(exchange, as: .analyst, name: "bea").get(orchard.linkPath).body
            #expect(analyst.matches(of: /<line class="mark"/).count == 1 && !analyst.contains("changed by"))

            _ = try await browser.submit(orchard.path + "/settings", ["name": "Orchard", "og_title": "Orchard"])
            #expect(try await browser.get(orchard.path).body.contains(": settings changed by user ann@orchard.example"))
        }
    }

    @Test func aLinkWithoutClicksHasNoChart() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let path = try await exchange.createLink(app.live.key.branchKey, ["channel": "mail"])
            let link = try await exchange.services.links.find("https://go.example.com" + path)
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let page = try await browser.get("/dashboard/apps/\(app.app.id)/links/\(link.id)").body
            #expect(page.contains("No clicks in the last 24 hours") && !page.contains("Clicks by day"))
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
