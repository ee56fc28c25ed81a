import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import Testing

/// What happened to a user, on the page about the user.
@Suite struct DashboardTimelineTests {
    /// The second cells of the rows of the timeline, newest first.
    private static func timeline(_ page: String) throws -> [String] {
        let start = try #require(page.firstRange(of: "What happened, newest first</caption>"))
        let table = page[start.upperBound...]
        let end = try #require(table.firstRange(of: "</table>"))
        return table[..<end.lowerBound].matches(of: /<tr><td><time[^>]*>[^<]*<\/time><\/td><td>(<a[^>]*>)?([^<]*)/).map {
            String($0.2)
        }
    }

    @Test func sessionsClicksEventsAndCreditsAreMergedByTime() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let key = orchard.app.live.key.branchKey
            let path = exchange.services.links.url(of: orchard.link).replacing("https://go.example.com", with: "")
            let clock = exchange.installation.clock
            _ = try await exchange.get(path, from: "198.51.100.20")
            clock.advance(by: .seconds(60))
            let install = try await exchange.install(key, ["identity": "ann"], from: "198.51.100.20").object
            let device = try #require(install["randomized_device_token"])
            clock.advance(by: .seconds(60))
            for (name, minutes) in [("PURCHASE", 40), ("VIEW_ITEM", 1)] {
                // The first is within the half hour after the session, the second is not.
                let answer = try await exchange.post(
                    "/v2/event/standard",
                    [
                        "branch_key": .string(key), "name": .string(name),
                        "event_data": ["revenue": .decimal("12.5"), "currency": "USD"],
                        "user_data": ["randomized_device_token": device, "developer_identity": "ann"],
                    ])
                #expect(answer.status == 200)
                clock.advance(by: .seconds(60 * minutes))
            }
            _ = try await exchange.services.credits.grant(
                CreditGrant(holder: .named("ann"), amount: try CreditAmount(50), bucket: .standard), RequestedCause(.operator),
                try CreditCall(), in: orchard.app.live.key.scope)

            let browser = try await DashboardBrowser(exchange, as: .support)
            let page = try await browser.get(orchard.path + "/identities?identity=ann").body
            #expect(try Self.timeline(page) == ["Credits", "PURCHASE", "Install", "Click"], "\(page)")
            #expect(page.contains("12.5 USD") && page.contains("+50") && page.contains(#"<a href="\#(orchard.linkPath)">Cox</a>"#))
        }
    }

    @Test func otherUsersAreNotInIt() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let key = orchard.app.live.key.branchKey
            let first = try await exchange.install(key, from: "198.51.100.21").object["identity_id"]?.string
            let second = try await exchange.install(key, from: "198.51.100.22").object["identity_id"]?.string
            let browser = try await DashboardBrowser(exchange, as: .support)
            for token in [first, second] {
                let page = try await browser.get(orchard.path + "/identities?identity=\(try #require(token))").body
                #expect(try Self.timeline(page).count == 1)
            }
        }
    }
}
