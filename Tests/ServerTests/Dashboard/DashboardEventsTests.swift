import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The events of an app, in the dashboard.
@Suite struct DashboardEventsTests {
    @Test func namesHaveTheirFiguresAndThoseOfThePeriodBefore() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            let path = "/dashboard/apps/\(app.app.id)/events"
            var browser = try await DashboardBrowser(exchange, as: .editor)
            #expect(try await browser.get(path).body.contains("No events in this time"))

            try await ContentEvents.report(exchange, key, "PURCHASE", [], ["revenue": 10, "currency": "USD"])
            exchange.installation.clock.advance(by: .seconds(8 * 86_400))
            try await browser.signIn("ann@orchard.example")
            for _ in 1...2 {
                try await ContentEvents.report(exchange, key, "PURCHASE", [], ["revenue": .decimal("12.5"), "currency": "USD"])
            }
            try await ContentEvents.report(exchange, key, "VIEW_ITEM", [])
            exchange.installation.clock.advance(by: .seconds(3))
            let page = try await browser.get(path + "?from=7d").body
            let purchase = try #require(page.firstMatch(of: /<tr><td><a href="([^"]*)">PURCHASE<\/a><\/td>(.*?)<\/tr>/))
            let figures = purchase.2.matches(of: />([^<]*)<\/td>/).map(\.1)
            #expect(figures[0..<3] == ["2", "1", "+100 %"] && figures[4...] == ["25.00", "10.00"], "\(figures)")
            #expect(page.contains(">VIEW_ITEM</a>") && page.contains("The latest, of the last 24 hours"))

            let question = try await browser.get(String(purchase.1).replacing("&amp;", with: "&")).body
            #expect(question.contains(#"value="name=PURCHASE""#) && question.contains(#"<td class=number>2</td>"#))
            #expect(page.contains("linden query top --app \(key) --topic commerce_event,content_event"))
        }
    }

    @Test func analystsSeeFiguresAndNoRows() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            try await ContentEvents.report(exchange, app.live.key.branchKey, "PURCHASE", [])
            let page = try await DashboardBrowser(exchange, as: .analyst).get("/dashboard/apps/\(app.app.id)/events").body
            #expect(page.contains(">PURCHASE</a>") && !page.contains("The latest, of the last 24 hours"))
            #expect(!page.contains("/live?"))
        }
    }
}
