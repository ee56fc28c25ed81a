import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// Questions about figures in the dashboard.
@Suite struct DashboardAnalyticsTests {
    @Test func clicksAreCountedByDayWithoutAnyChoice() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let page = try await DashboardBrowser(exchange, as: .analyst).get(orchard.path + "/analytics")
            #expect(
                page.status == 200 && page.body.contains(#"role="img""#) && page.body.contains("<th scope=\"col\">Timestamp</th>"))
            #expect(page.body.contains("linden query counts --app \(orchard.app.live.key.branchKey) --from 30d"))
            #expect(page.body.contains("/analytics.csv?question=counts"))
        }
    }

    @Test(arguments: AnalyticsQuestion.allCases)
    func eachQuestionIsAnsweredWithAChartATableAndAFile(question: AnalyticsQuestion) async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let page = try await browser.get("\(orchard.path)/analytics?question=\(question.rawValue)&from=today")
            #expect(page.status == 200 && page.body.contains(#"role="img""#) && page.body.contains("<table>"), "\(page.body)")
            let file = try await browser.get("\(orchard.path)/analytics.csv?question=\(question.rawValue)&from=today")
            #expect(file.status == 200 && file.headers[.contentType] == "text/csv; charset=utf-8")
            #expect(file.headers[.contentDisposition] == "attachment; filename=\"\(question.rawValue).csv\"")
            #expect(file.body.split(separator: "\r\n").count >= 2)
        }
    }

    @Test func aTableOfManyColumnsHasFewerRows() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let page = try await browser.get(orchard.path + "/analytics?question=cohort&days=90&from=300d").body
            #expect(page.contains("The first 26 of 300 rows are shown. The file has all."))
            let file = try await browser.get(orchard.path + "/analytics.csv?question=cohort&days=90&from=300d").body
            #expect(file.split(separator: "\r\n").count == 301)
        }
    }

    @Test func valuesOfADimensionAreStackedButDevicesAreNot() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            for number in 1...5 {
                let path = try await exchange.createLink(orchard.app.live.key.branchKey, ["channel": .string("channel \(number)")])
                _ = try await exchange.get(path, from: "198.51.100.\(number)")
            }
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let question = orchard.path + "/analytics?question=counts&from=7d&by=channel&chart=stacked"
            let page = try await browser.get(question).body
            #expect(page.matches(of: /<polygon class="area/).count == 4 && page.contains("3 others"))
            #expect(page.contains(#"<option value="stacked" selected>"#))
            #expect(page.contains("--from 7d --by channel<") && page.contains(#"<option value="campaign"></option>"#))
            let devices = try await browser.get(question + "&aggregation=unique_count").body
            #expect(!devices.contains("<polygon") && devices.contains("<polyline"))
            #expect(try await !browser.get(orchard.path + "/analytics?question=top&chart=stacked").body.contains("<polygon"))
        }
    }

    @Test func theAddressHasTheWholeQuestion() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let query = "question=top&from=7d&topic=click&by=link&filter=channel%3DCox&limit=5"
            let page = try await browser.get("\(orchard.path)/analytics?\(query)").body
            #expect(page.contains(#"<a href="\#(orchard.linkPath)">Cox</a>"#))
            #expect(page.contains(#"name="filter" type="text" value="channel=Cox""#))
            #expect(page.contains("--by link --filter channel=Cox --limit 5"))
            #expect(page.contains("/analytics.csv?\(query.replacing("&", with: "&amp;"))"))
            #expect(page.contains("from=last-month&amp;topic=click") || page.contains("&amp;from=last-month"))
            let other = try await browser.get("\(orchard.path)/analytics?question=top&by=link&filter=channel%3Dsms").body
            #expect(other.contains("No rows"))
        }
    }

    @Test func countsAndTopListsAreComparedWithThePeriodBefore() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            // The click of the app was yesterday; today there are two of its channel and one of another.
            exchange.installation.clock.advance(by: .seconds(86_400))
            let path = "/" + orchard.link.address.path.drop { $0 == "/" }
            for address in ["198.51.100.1", "198.51.100.2"] { _ = try await exchange.get(path, from: address) }
            let other = try await exchange.createLink(orchard.app.live.key.branchKey, ["channel": "sms"])
            _ = try await exchange.get(other, from: "198.51.100.3")
            let browser = try await DashboardBrowser(exchange, as: .analyst)

            let days = try await browser.get(orchard.path + "/analytics?question=counts&from=today").body
            #expect(days.contains(">Period before</th>") && days.contains(">Change</th>"))
            #expect(days.contains(#"<td class=number>3</td><td class=number>1</td><td class=number>+200 %</td>"#))
            #expect(days.contains("the period before") && days.contains(#"class="point previous""#))

            let top = try await browser.get(orchard.path + "/analytics?question=top&from=today&by=channel").body
            #expect(
                top.contains(#"<td>Cox</td><td class=number>2</td><td class=number>1</td><td class=number>+100 %</td>"#))
            #expect(top.contains(#"<td>sms</td><td class=number>1</td><td class=number>0</td><td class=number></td>"#))
            #expect(top.contains(#"class="bar before""#))

            let alone = try await browser.get(orchard.path + "/analytics?question=top&from=today&by=channel&compare=none").body
            #expect(!alone.contains(">Period before</th>") && !alone.contains(#"class="bar before""#))
            #expect(!alone.contains("--compare") && alone.contains("--by channel"))
        }
    }

    @Test(arguments: [
        ("question=counts&from=soon", "from", "from must be"), ("question=cohort&days=91", "days", "days must be from 1 to 90"),
        ("question=top&limit=x", "limit", "limit must be a whole number"),
        ("question=counts&limit=99999", "limit", "limit must be from 1 to"),
        ("question=funnel&by=country", "by", "by must be one of"), ("question=counts&by=fruit", "by", "fruit is not a dimension"),
        ("question=counts&filter=channel=mail&filter2=x", "filter2", "A filter must be"),
        ("question=counts&filter=fruit=x", "filter", "fruit is not a dimension"),
        ("question=counts&from=365d&granularity=hour", "granularity", "With granularity hour"),
    ])
    func aMistakeIsSaidAtItsField(query: String, field: String, says: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let page = try await DashboardBrowser(exchange, as: .analyst).get("/dashboard/apps/\(app.app.id)/analytics?\(query)")
            #expect(page.status == 400)
            let message = try #require(page.body.firstMatch(of: /id="fault-([a-z0-9_]+)">([^<]*)</))
            #expect(message.1 == field[...] && message.2.hasPrefix(says))
        }
    }

    @Test func aQuestionThatReadsTooMuchNamesTheLimitAndHowToNarrowIt() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let path = "/dashboard/apps/\(app.app.id)/analytics?question=counts&"
            let long = try await browser.get(path + "from=365d&granularity=hour")
            #expect(long.status == 400 && long.body.contains("the span may have at most 83 days"))
            #expect(long.body.contains(#"value="365d""#), "The question stays in the form.")
            let filtered = try await browser.get(path + "filter=nonsense")
            #expect(filtered.status == 400 && filtered.body.contains("A filter must be dimension=value"))
            for from in ["2020-01-01", "900d"] {
                let years = try await browser.get(path + "from=" + from)
                let message = try #require(years.body.firstMatch(of: /id="fault-from">([^<]*)</)?.1)
                #expect(years.status == 400 && message.contains("at most 731") && !years.body.contains("notice problem"))
            }
            let file = try await browser.get("/dashboard/apps/\(app.app.id)/analytics.csv?question=counts&from=soon")
            #expect(file.status == 400 && file.headers[.contentDisposition] == nil)
        }
    }
}
