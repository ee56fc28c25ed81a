import Dashboard
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Values that strangers and users have stored are shown as text.
@Suite struct DashboardEscapingTests {
    private static let text = #""'><script>alert(1)</script>&amp;"#

    @Test func everyStoredValueIsText() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange, Self.text, text: Self.text)
            let objects = try await DashboardObjects(exchange, orchard.app, text: Self.text)
            let browser = try await DashboardBrowser(exchange, as: .admin, name: "<script>alert(2)</script>")
            for route in DashboardRoute.all where route.method == .get && route.access != .anyone {
                let answer = try await browser.get(orchard.path(of: route, setUp: "none", objects))
                #expect([200, 303].contains(answer.status), "\(route.pattern)")
                // A browser stores a file, and interprets nothing in it.
                let isFile =
                    answer.headers[.contentType]?.hasPrefix("text/csv") == true
                    && answer.headers[.contentDisposition]?.hasPrefix("attachment") == true
                    && answer.headers[.xContentTypeOptions] == "nosniff"
                #expect(isFile || !DashboardBrowser.withoutOwnModules(answer.body).contains("<script"), "\(route.pattern)")
                if answer.status == 200, answer.headers[.contentType]?.hasPrefix("text/html") == true {
                    #expect(answer.body.contains("&lt;script&gt;alert(2)"), "\(route.pattern)")
                }
            }
            for path in [
                "/credits", "/rewards", "/held-rewards", "/tokens", "/shares", "/settings", "/identities/erase", "/content",
                "/content/object", "/links/new", "/links/templates", "/links/templates/delete",
            ] {
                let page = try await browser.get(objects.path(of: orchard.path + path))
                let hasText = page.body.contains("&lt;script&gt;alert(1)")
                #expect(page.status == 200 && (hasText || path == "/held-rewards"), "\(path)")
            }
            let page = try await browser.get(orchard.linkPath)
            #expect(page.body.contains("&quot;&#39;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;"))
            let session = try await browser.get("\(orchard.path)/sessions/\(orchard.session)")
            #expect(session.body.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test func whatIsTypedComesBackAsText() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let search = try await browser.get(
                "\(orchard.path)/links?search=%3Cscript%3E&channel=%22%3E%3Cscript%3E&sort=%3Cscript%3E")
            #expect(search.status == 200 && !DashboardBrowser.withoutOwnModules(search.body).contains("<script"))
            #expect(search.body.contains(#"value="&lt;script&gt;""#))
            let form = try await browser.submit("\(orchard.path)/links", ["alias": "<script>", "$og_title": Self.text])
            #expect(form.status == 400 && !DashboardBrowser.withoutOwnModules(form.body).contains("<script"))
            let signIn = try await browser.signIn("\"><script>", to: "\"><script>")
            #expect(signIn.status == 401 && !DashboardBrowser.withoutOwnModules(signIn.body).contains("<script"))
        }
    }
}
