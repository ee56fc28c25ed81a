import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Limits of operators' calls, with an access token or in the dashboard: a customer of one app shares the server with those of others.
@Suite struct OperatorLimitTests {
    @Test func linksCreatedInTheDashboardCountAsCalls() async throws {
        try await Exchange.runLimited {
            $0[.createLink].secret = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            let app = try await exchange.services.apps.scope(of: key).app
            var browser = try await DashboardBrowser(exchange, as: .editor)
            var statuses: [Int] = []
            for number in 1...4 {
                statuses.append(try await browser.submit("/dashboard/apps/\(app)/links", ["alias": "pears\(number)"]).status)
            }
            #expect(statuses == [303, 303, 303, 429])
        }
    }

    @Test(arguments: ["bulk", "bulk-delete"])
    func eachLinkOfAChangeOfSeveralInTheDashboardCounts(action: String) async throws {
        try await Exchange.runLimited {
            $0[.changeLink].secret = Rate(perMinute: 6)
        } _: { exchange, key, _ async throws in
            let app = try await exchange.services.directory.app(branchKey: key)
            var links: [String] = []
            for number in 0..<8 {
                let link = try await exchange.services.links.create(NewLink(alias: "pears\(number)"), for: app)
                links.append("link=\(link.id)")
            }
            var browser = try await DashboardBrowser(exchange, as: .editor)
            let fields = action == "bulk" ? ["action": "archive"] : ["confirmation": "4"]
            var statuses: [Int] = []
            for part in [links.prefix(4), links.suffix(4)] {
                let path = "/dashboard/apps/\(app.scope.app)/links/\(action)"
                statuses.append(try await browser.submit(path, fields, also: part.joined(separator: "&")).status)
            }
            #expect(statuses == [200, 429])
            #expect(try await exchange.rows("SELECT COUNT(*) FROM links WHERE is_archived = 1 OR deleted_at IS NOT NULL") == 4)
        }
    }

    @Test func callsOfBranchWithAnAccessTokenCount() async throws {
        try await Exchange.runLimited {
            for call in [LimitedCall.query, .call] { $0[call].secret = Rate(perMinute: 3) }
        } _: { exchange, key, _ async throws in
            let app = try await exchange.services.apps.scope(of: key).app
            let headers: HTTPFields = try await [HTTPField.Name("Access-Token")!: exchange.token(.analyst)]
            var statuses: [Int] = []
            for _ in 0..<4 {
                let order = RouteAccess.aggregate.merging(["app_id": .string("\(app)")])
                statuses.append(try await exchange.post("/v2/analytics", .object(order), headers: headers).status)
            }
            #expect(statuses == [200, 200, 200, 429])
        }
    }

    @Test func aFormOfTheDashboardHasAtMostAThousandFields() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp().app.id
            var browser = try await DashboardBrowser(exchange, as: .admin)
            for (count, status) in [(1000, 303), (1001, 400)] {
                let more = Array(repeating: "pear=1", count: count - 1).joined(separator: "&")
                let answer = try await browser.submit("/dashboard/apps/\(app)/domains", ["domain": "d\(count).example"], also: more)
                #expect(answer.status == status, "\(count) fields")
            }
        }
    }
}
