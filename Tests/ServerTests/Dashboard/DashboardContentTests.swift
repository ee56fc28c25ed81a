import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The content that links and events refer to, in the dashboard.
@Suite struct DashboardContentTests {
    @Test func contentIsListedNewestFirstOrByAMeasure() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            var browser = try await DashboardBrowser(exchange, as: .analyst)
            let path = "/dashboard/apps/\(app.app.id)/content"
            #expect(try await browser.get(path).body.contains("No content yet"))

            for name in ["cox", "gala"] {
                let link = try await exchange.createLink(
                    key, ["data": ["$canonical_identifier": .string("crate/\(name)"), "$og_title": .string("A crate of \(name)")]])
                if name == "cox" { _ = try await exchange.get(link) }
            }
            let newest = try await browser.get(path).body
            let (gala, cox) = (newest.firstRange(of: "A crate of gala"), newest.firstRange(of: "A crate of cox"))
            #expect(try #require(gala).lowerBound < (try #require(cox)).lowerBound)
            let clicked = try await browser.get(path + "?by=clicks&from=7d").body
            #expect(clicked.contains("A crate of cox") && !clicked.contains("A crate of gala"))
            #expect(clicked.contains("linden objects top --app \(key) --by clicks --from 7d"))
            #expect(clicked.contains("GET /api/v1/content?app=\(key)&amp;sort=clicks&amp;from=7d"))
            exchange.installation.clock.advance(by: .seconds(8 * 86_400))
            try await browser.signIn("ann@orchard.example")
            #expect(try await browser.get(path + "?by=clicks&from=7d").body.contains("No clicks in this time"))
            #expect(try await browser.get(path + "?by=nonsense&cursor=x").status == 200)
        }
    }

    @Test func aPieceHasItsTotalsOfThirtyDaysAndOfThoseBefore() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let link = try await exchange.createLink(
                app.live.key.branchKey, ["data": ["$canonical_identifier": "crate/cox", "$og_title": "A crate of Cox"]])
            for _ in 1...2 { _ = try await exchange.get(link) }
            exchange.installation.clock.advance(by: .seconds(40 * 86_400))
            _ = try await exchange.get(link)
            let browser = try await DashboardBrowser(exchange, as: .analyst)
            let path = "/dashboard/apps/\(app.app.id)/content"
            let list = try await browser.get(path).body
            let href = try #require(list.firstMatch(of: /href="([^"]*\/content\/object\?[^"]*)"/)).1
            let page = try await browser.get(String(href)).body
            #expect(page.contains("<h1>A crate of Cox</h1>") && page.contains("<code>crate/cox</code>"))
            #expect(
                page.contains(
                    #"<td>Clicks</td><td class=number>1</td><td class=number>2</td><td class=number>3</td>"#))
            #expect(try await browser.get(path + "/object?identifier=none").status == 404)
            #expect(try await browser.get(path + "/object").status == 404)
        }
    }

    @Test func aListIsShownInPages() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            for number in 1...51 {
                _ = try await exchange.createLink(
                    app.live.key.branchKey, ["data": ["$canonical_identifier": .string("crate \(number).")]])
            }
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let first = try await browser.get("/dashboard/apps/\(app.app.id)/content").body
            #expect(first.contains(">crate 51.<") && !first.contains(">crate 1.<"))
            let next = try #require(first.firstMatch(of: /rel="next" href="([^"]*)"/)).1.replacing("&amp;", with: "&")
            let second = try await browser.get(String(next)).body
            #expect(second.contains(">crate 1.<") && !second.contains(">crate 2.<") && second.contains("First page"))
        }
    }
}
