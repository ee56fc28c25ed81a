import Dashboard
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import Testing

/// Exports and privacy requests in the dashboard.
@Suite struct DashboardExportsTests {
    @Test func anExportIsOrderedAndDownloaded() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            exchange.installation.clock.advance(by: .seconds(86400))
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let path = orchard.path + "/exports"
            #expect(try await browser.get(path).body.contains("No export yet"))
            let ordered = try await browser.submit(
                path, ["report_type": "eo_click", "start_date": "yesterday", "end_date": "yesterday"])
            #expect(ordered.location == path + "?saved=ordered", "\(ordered.body)")
            #expect(try await browser.get(path).body.contains("running"))
            try await exchange.services.exports.runJobs()
            let page = try await browser.get(path).body
            let download = try #require(page.firstMatch(of: /href="([^"]*\/download)"/)).1
            let file = try #require(try await browser.get(String(download)).location)
            #expect(file.hasPrefix("https://go.example.com/api/v1/exports/"))
            let content = try await browser.get(file.replacing("https://go.example.com", with: ""))
            #expect(content.status == 200 && content.body.split(separator: "\r\n").count == 2)
        }
    }

    @Test(arguments: [
        (["start_date": "soon"], "start_date"), (["end_date": "soon"], "end_date"), (["limit": "0"], "limit"),
        (["timezone": "Mars"], "timezone"), (["start_date": "2025-02-01", "end_date": "2026-12-31"], "start_date"),
        (["start_date": "2027-01-10", "end_date": "2027-01-02"], "start_date"), (["report_type": "eo_fruit"], "report_type"),
        (["end_date": ""], "end_date"),
    ])
    func aMistakeIsSaidAtItsField(fields: [String: String], field: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let answer = try await browser.submit(
                "/dashboard/apps/\(app.app.id)/exports",
                ["report_type": "eo_click", "start_date": "yesterday", "end_date": "yesterday"].merging(fields) { $1 })
            #expect(answer.status == 400 && answer.body.contains(#"id="fault-\#(field)""#), "\(answer.body)")
        }
    }

    @Test func aUserIsCopiedAndErased() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let key = orchard.app.live.key.branchKey
            _ = try await exchange.install(key, ["identity": "ann", "sdk": "ios1.30.0"], from: "198.51.100.10")
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let path = orchard.path + "/identities"
            #expect(try await browser.get(path + "?identity=ann").body.contains("/identities/erase?identity=identity_"))

            let copied = try await browser.submit(path + "/export", ["identity": "ann"])
            let request = try #require(copied.location)
            #expect(request.hasPrefix(orchard.path + "/privacy/"))
            #expect(try await browser.get(request).body.contains("Download as CSV"))
            let file = try #require(try await browser.get(request + "/download").location)
            let content = try await browser.get(file.replacing("https://go.example.com", with: ""))
            #expect(content.status == 200 && content.body.contains("ann"))

            #expect(try await browser.get(path + "/erase?identity=ann").body.contains("To confirm, type ann"))
            #expect(try await browser.submit(path + "/erase", ["identity": "ann", "confirmation": "bob"]).status == 400)
            let erased = try await browser.submit(path + "/erase", ["identity": "ann", "confirmation": "ann"])
            let erasure = try #require(erased.location)
            #expect(try await browser.get(erasure).body.contains("waiting"))
            try await exchange.services.subjectRequests.runAll()
            #expect(try await browser.get(erasure).body.contains("done"))
            #expect(try await browser.get(path + "?identity=ann").status == 404)
        }
    }
}
