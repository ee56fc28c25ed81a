import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// What the overview of an app shows.
@Suite struct DashboardOverviewTests {
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
}
