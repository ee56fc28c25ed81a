import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Questions that are shared by an address, which answers without a sign-in.
@Suite struct DashboardSharesTests {
    private static let question = ["query": "question=top&by=link&from=30d", "title": "Best <links>", "days": "7"]

    /// Shares a question and returns the path of its address.
    private static func share(
        _ browser: inout DashboardBrowser, _ app: String, _ fields: [String: String] = question
    ) async throws -> String {
        let page = try await browser.submit(app + "/shares", fields)
        try #require(page.status == 200, "\(page.body)")
        let match = try #require(page.body.firstMatch(of: /https:\/\/go\.example\.com(\/dashboard\/shared\/[A-Za-z0-9]{40})/))
        return String(match.1)
    }

    @Test func anyoneWithTheAddressSeesTheAnswerAndNothingElse() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var editor = try await DashboardBrowser(exchange, as: .editor)
            let path = try await Self.share(&editor, orchard.path)
            let page = try await DashboardBrowser(exchange).get(path)
            #expect(page.status == 200 && page.body.contains("<h1>Best &lt;links&gt;</h1>"))
            #expect(page.body.contains("<table>") && page.body.contains("Cox") && page.body.contains(#"role="img""#))
            #expect(page.headers[.init("X-Robots-Tag")!] == "noindex, nofollow, noarchive")
            #expect(page.headers[.init("Referrer-Policy")!] == "no-referrer")
            #expect(page.headers[.cacheControl] == "no-store" && page.headers[.setCookie] == nil)
            #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(!page.body.contains(orchard.path) && !page.body.contains("ann@orchard.example") && !page.body.contains("<form"))
            // It opens nothing else.
            let secret = path.split(separator: "/").last ?? ""
            for other in ["\(orchard.path)?secret=\(secret)", "\(path)/csv", "/dashboard/shared", "/dashboard/set-up/\(secret)"] {
                #expect(try await DashboardBrowser(exchange).get(other).status != 200, "\(other)")
            }
        }
    }

    @Test func anAddressIsListedWithoutItsSecretAndRevoked() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var editor = try await DashboardBrowser(exchange, as: .editor)
            let path = try await Self.share(&editor, orchard.path)
            let list = try await editor.get(orchard.path + "/shares").body
            #expect(list.contains("Best &lt;links&gt;") && list.contains("ann@orchard.example"))
            #expect(!list.contains(path.split(separator: "/").last ?? ""))
            let action = try #require(list.firstMatch(of: /action="([^"]+\/revoke)"/)).1
            #expect(try await DashboardBrowser(exchange).get(path).status == 200)
            // Another app's and the test side's list do not end it.
            for other in [orchard.path + ".test", try await DashboardApp(exchange, "Meadow", from: "198.51.100.1").path] {
                #expect(try await editor.submit(String(action.replacing(orchard.path + "/", with: other + "/"))).status == 404)
                #expect(try await DashboardBrowser(exchange).get(path).status == 200, "\(other)")
            }
            #expect(try await editor.submit(String(action)).status == 303)
            try await Self.expectNoPage(exchange, path)
            #expect(try await editor.get(orchard.path + "/shares").body.contains("Nothing is shared"))
        }
    }

    @Test func anAddressExpiresAndThenIsDeletedWithTheNextOne() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var editor = try await DashboardBrowser(exchange, as: .editor)
            let path = try await Self.share(&editor, orchard.path)
            exchange.installation.clock.advance(by: .seconds(7 * 86_400 - 1))
            #expect(try await DashboardBrowser(exchange).get(path).status == 200)
            exchange.installation.clock.advance(by: .seconds(1))
            try await Self.expectNoPage(exchange, path)
            #expect(try await exchange.services.sharedQuestions.list(orchard.app.live.key.scope).isEmpty)
            _ = try await exchange.services.sharedQuestions.create(
                "question=counts", title: "Clicks", in: orchard.app.test.key.scope)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM shared_questions") == 1)
        }
    }

    @Test func anAddressOfADeletedAppEnds() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var editor = try await DashboardBrowser(exchange, as: .editor)
            let path = try await Self.share(&editor, orchard.path)
            try await exchange.services.apps.delete(orchard.app.app.id)
            try await Self.expectNoPage(exchange, path)
        }
    }

    @Test func thePageIsMadeOnceAMinute() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var editor = try await DashboardBrowser(exchange, as: .editor)
            let path = try await Self.share(
                &editor, orchard.path, ["query": "question=counts&from=30d&granularity=all", "title": "Clicks", "days": "1"])
            func shown() async throws -> String { try await DashboardBrowser(exchange).get(path).body }
            let first = try await shown()
            let link = "/" + orchard.link.address.path.drop { $0 == "/" }
            _ = try await exchange.get(link, from: "198.51.100.9")
            #expect(try await shown() == first)
            exchange.installation.clock.advance(by: .seconds(60))
            let second = try await shown()
            #expect(second != first && second.contains(">2</td>"), "\(second)")
        }
    }

    @Test(
        arguments: [
            (["title": ""], "title must have 1 to 100 characters"),
            (["title": String(repeating: "a", count: 101)], "title must have 1 to 100 characters"),
            (["days": "91"], "days must be a whole number from 1 to 90"),
            (["days": "0"], "days must be a whole number from 1 to 90"),
            (["days": "soon"], "days must be a whole number"), (["query": ""], "query must have question="),
            (["query": "question=everything"], "query must have question="),
            (["query": "question=top&app=1"], "query has app, which is not a parameter of top"),
            (["query": "question=top&by=channel&from=7d&from=8d"], "query may have from once"),
            (["query": "question=top&by=nothing"], "nothing"), (["query": "question=counts&from=yesteryear"], "yesteryear"),
            (["query": "question=counts&limit=many"], "limit must be a whole number"),
            (["query": "question=counts&filter=" + String(repeating: "a", count: 2048)], "query must have at most 2048 bytes"),
            (["query": "question=top&by=user_data_developer_identity"], "other columns may name users"),
        ] as [([String: String], String)])
    func whatCannotBeSharedIsRefusedWithItsReason(changes: [String: String], reason: String) async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var admin = try await DashboardBrowser(exchange, as: .admin)
            let page = try await admin.submit(orchard.path + "/shares", Self.question.merging(changes) { $1 })
            #expect([400, 403].contains(page.status) && page.body.contains(reason), "\(page.body)")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM shared_questions") == 0)
        }
    }

    @Test func aSideOfAnAppHasAHundred() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let (service, scope) = (exchange.services.sharedQuestions, orchard.app.live.key.scope)
            for number in 1...SharedQuestion.mostPerScope {
                _ = try await service.create("question=counts&from=1d", title: "Clicks \(number)", days: 1, in: scope)
            }
            var editor = try await DashboardBrowser(exchange, as: .editor)
            let page = try await editor.submit(orchard.path + "/shares", Self.question)
            #expect(page.status == 409 && page.body.contains("100 shared questions"))
            _ = try await service.create("question=counts", title: "Clicks", in: orchard.app.test.key.scope)
            exchange.installation.clock.advance(by: .seconds(86_400))
            try await editor.signIn("ann@orchard.example")
            _ = try await Self.share(&editor, orchard.path)
        }
    }

    @Test func theAnalyticsLeadToTheFormOnlyForThoseWhoMayShare() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let path = "\(orchard.path)/analytics?question=top&by=link&filter=channel%3DCox"
            let analyst = try await DashboardBrowser(exchange, as: .analyst, name: "ben").get(path).body
            #expect(analyst.contains("Download as CSV") && !analyst.contains("/shares"))
            let editor = try await DashboardBrowser(exchange, as: .editor)
            let page = try await editor.get(path).body
            let href = try #require(page.firstMatch(of: /href="([^"]+\/shares\/new[^"]*)"/)).1.replacing("&amp;", with: "&")
            let form = try await editor.get(String(href)).body
            let query = "question=top&amp;from=30d&amp;by=link&amp;filter=channel%3DCox"
            #expect(form.contains(#"<input type="hidden" name="query" value="\#(query)">"#), "\(form)")
        }
    }

    /// Expects the page of an address that is not valid, with the headers of one that is.
    private static func expectNoPage(_ exchange: Exchange, _ path: String) async throws {
        let page = try await DashboardBrowser(exchange).get(path)
        #expect(page.status == 404 && page.body.contains("has expired, was revoked, or is not complete"))
        #expect(page.headers[.init("X-Robots-Tag")!] != nil && page.headers[.init("Referrer-Policy")!] == "no-referrer")
    }
}
