import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// What the list of an app's links and the page of a link show.
@Suite struct DashboardLinksTests {
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
            let analyst = try await DashboardBrowser(exchange, as: .analyst, name: "ann").get(orchard.linkPath).body
            #expect(analyst.contains("Clicks") && !analyst.contains("Latest clicks"), "no single person")
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
            let browser = try await DashboardBrowser(exchange, as: .support)
            let page = try await browser.get("/dashboard/apps/\(app.app.id)/links/\(link.id)").body
            #expect(page.contains("No clicks in the last 24 hours") && !page.contains("Clicks by day"))
        }
    }
}
