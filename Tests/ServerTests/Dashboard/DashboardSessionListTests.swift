import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The filters of the list of sessions, in the dashboard and over HTTP.
@Suite struct DashboardSessionListTests {
    @Test func sessionsAreFilteredByOutcomePlatformChannelTimeAndText() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let key = orchard.app.live.key.branchKey
            exchange.installation.clock.advance(by: .seconds(3 * 86_400))
            let answer = try await exchange.install(key, ["os": "Android", "os_version": "15"], from: "198.51.100.10")
            let organic = try exchange.reference(toSession: answer.object["session_id"]?.string)
            let browser = try await DashboardBrowser(exchange, as: .support)
            let path = orchard.path + "/sessions"
            let token = try await exchange.token(.analyst, for: orchard.app)
            for (query, shown) in [
                ("", [organic, orchard.session]), ("outcome=matched", [orchard.session]), ("outcome=organic", [organic]),
                ("platform=android", [organic]), ("platform=ios", [orchard.session]), ("platform=web", []),
                ("channel=cox", [orchard.session]), ("channel=co", []), ("search=variety", [orchard.session]),
                ("from=2d", [organic]), ("outcome=matched&from=2d", []), ("search=100%25", []),
                ("kind=install", [organic, orchard.session]), ("kind=web", []), ("link=\(orchard.link.id)", [orchard.session]),
                ("link=\(orchard.link.id)&kind=open", []),
            ] {
                let page = try await browser.get(path + "?" + query).body
                let found = page.matches(of: /\/sessions\/(session_\d+)"/).map { String($0.1) }
                #expect(found == shown, "\(query)")
                #expect(shown.isEmpty == page.contains("No session matches"), "\(query)")
                let list = try await exchange.manage(.get, "/api/v1/sessions?app=\(key)&" + query, token: token)
                let ids = list.object["sessions"]?.array?.compactMap { $0.object?["session_id"]?.string }
                #expect(ids == shown, "\(query)")
            }
            let page = try await browser.get(path + "?outcome=matched&channel=Cox").body
            #expect(page.contains(#"<option value="matched" selected>"#))
            #expect(page.contains(#"name="channel" type="text" value="Cox""#))
            #expect(page.contains("linden sessions list --app \(key) --outcome matched --channel Cox"))
        }
    }

    @Test func theListNamesTheLinkThatASessionIsAttributedTo() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let key = orchard.app.live.key.branchKey
            exchange.installation.clock.advance(by: .seconds(3 * 86_400))
            _ = try await exchange.install(key, ["os": "Android", "os_version": "15"], from: "198.51.100.10")
            let page = try await DashboardBrowser(exchange, as: .support).get(orchard.path + "/sessions").body
            let path = "\(orchard.path)/links/\(orchard.link.id)"
            #expect(page.matches(of: /\/links\/\d+"/).count == 1 && page.contains(#"<a href="\#(path)">"#))
            let token = try await exchange.token(.analyst, for: orchard.app)
            let list = try await exchange.manage(.get, "/api/v1/sessions?app=\(key)", token: token)
            let links = list.object["sessions"]?.array?.map { $0.object?["link_id"] }
            #expect(links == [.null, .string("\(orchard.link.id)")])
        }
    }

    @Test func aMistakeIsSaidAtItsField() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .admin)
            let page = try await browser.get(orchard.path + "/sessions?from=soon")
            #expect(page.status == 400 && page.body.contains(#"id="fault-from""#) && page.body.contains(#"value="soon""#))
            let long = try await browser.get(orchard.path + "/sessions?search=" + String(repeating: "x", count: 513))
            #expect(long.status == 400 && long.body.contains(#"id="fault-search""#))
            let token = try await exchange.token(.analyst, for: orchard.app)
            for query in ["outcome=won", "platform=fridge", "from=soon", "kind=nap", "link=pears"] {
                let list = try await exchange.manage(.get, "/api/v1/sessions?app=\(orchard.app.app.id)&" + query, token: token)
                #expect(list.status == 400, "\(query)")
            }
        }
    }

    @Test func aFilteredListIsShownInPages() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let key = app.live.key.branchKey
            for number in 1...27 { _ = try await exchange.install(key, from: "198.51.100.\(number)") }
            let browser = try await DashboardBrowser(exchange, as: .editor)
            let first = try await browser.get("/dashboard/apps/\(app.app.id)/sessions?outcome=organic").body
            #expect(first.matches(of: />explain</).count == 25)
            let next = try #require(first.firstMatch(of: /rel="next" href="([^"]*)"/)).1.replacing("&amp;", with: "&")
            #expect(next.contains("outcome=organic"))
            let second = try await browser.get(String(next)).body
            #expect(second.matches(of: />explain</).count == 2 && second.contains("First page"))
        }
    }
}
