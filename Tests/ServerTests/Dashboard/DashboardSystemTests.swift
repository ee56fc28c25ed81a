import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// The page about the server itself.
@Suite struct DashboardSystemTests {
    @Test func administratorsOfAllAppsSeeTheServer() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var browser = try await DashboardBrowser(exchange, as: .admin)
            #expect(try await browser.get("/dashboard").body.contains(#"<a href="/dashboard/system">System</a>"#))
            exchange.installation.clock.advance(by: .seconds(3 * 86_400 + 3600))
            try await exchange.services.maintenance.count()
            try await browser.signIn("ann@orchard.example")

            let page = try await browser.get("/dashboard/system")
            #expect(page.status == 200 && page.body.contains(LindenVersion.description))
            #expect(page.body.contains("3 days 1 hour") && page.body.contains("https://go.example.com"))
            #expect(page.body.contains("<dt>Rows that are not in all totals yet</dt><dd>none</dd>"))
            #expect(page.body.contains("<dt>Totals of events until</dt><dd>none yet</dd>"))
            #expect(page.body.contains("<dt>Clicks</dt><dd>kept for good</dd>") && page.body.contains("backup.folder is not set"))

            let own = try await DashboardBrowser(exchange, as: .admin, app: orchard.app.app.id, name: "bob")
            #expect(try await !own.get("/dashboard").body.contains("/dashboard/system"))
            #expect(try await own.get("/dashboard/system").status == 403)
        }
    }
}
