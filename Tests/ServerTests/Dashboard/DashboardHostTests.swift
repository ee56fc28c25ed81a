import HTTPTypes
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// Where the dashboard is served, and what its responses allow.
@Suite struct DashboardHostTests {
    @Test func itIsServedOnTheHostOfTheBaseURLAndOnNoDomainOfALink() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(domain: "links.orchard.example")
            #expect(try await exchange.get("/dashboard/sign-in").status == 200)
            for host in ["links.orchard.example", "other.example", "localhost", ""] {
                #expect(try await exchange.get("/dashboard/sign-in", host: host).status == 404, "\(host)")
            }
        }
    }

    @Test func itMayHaveAHostOfItsOwn() async throws {
        try await Exchange.run(dashboard: DashboardSettings(host: "linden.example.com")) { exchange in
            for host in ["linden.example.com", "LINDEN.example.com:443"] {
                #expect(try await exchange.get("/dashboard/sign-in", host: host).status == 200)
            }
            let elsewhere = try await exchange.get("/dashboard/sign-in")
            #expect(elsewhere.status == 404)
        }
    }

    @Test func itMayBeTurnedOff() async throws {
        try await Exchange.run(dashboard: DashboardSettings(isEnabled: false)) { exchange in
            for path in ["/dashboard", "/dashboard/sign-in"] {
                let answer = try await exchange.get(path)
                #expect(answer.status == 404)
            }
        }
    }

    @Test(arguments: ["/dashboard/sign-in", "/dashboard/none", "/dashboard", "/dashboard/set-up/none"])
    func everyResponseForbidsInlineScriptsAndFrames(path: String) async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get(path)
            #expect(
                answer.headers[.contentSecurityPolicy] == """
                    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; \
                    frame-ancestors 'none'; base-uri 'none'
                    """)
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.init("Referrer-Policy")!] == "same-origin")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(!answer.body.contains(" style=") && !answer.body.contains("<style") && !answer.body.contains("<script"))
        }
    }

    @Test func pagesOfOtherOriginsMayNotReadIt() async throws {
        try await Exchange.run { exchange in
            let headers: HTTPFields = [.origin: "https://evil.example"]
            let answer = try await exchange.get("/dashboard/sign-in", headers: headers)
            #expect(answer.headers[.accessControlAllowOrigin] == nil)
            let preflight = try await exchange.send(.options, "/dashboard/sign-in", headers: headers)
            #expect(preflight.headers[.accessControlAllowOrigin] == nil && preflight.status != 204)
        }
    }

    @Test func theStyleSheetIsKeptForEver() async throws {
        try await Exchange.run { exchange in
            let page = try await exchange.get("/dashboard/sign-in")
            let path = try #require(page.body.firstMatch(of: /rel="stylesheet" href="([^"]*)"/)).1
            let style = try await exchange.get(String(path))
            #expect(style.status == 200 && style.headers[.contentType] == "text/css; charset=utf-8")
            #expect(style.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(page.bytes.count + style.bytes.count < 30_000)
        }
    }

    @Test func aLargeFormIsRefused() async throws {
        try await Exchange.run { exchange in
            var browser = DashboardBrowser(exchange)
            let answer = try await browser.signIn(String(repeating: "a", count: 200_000))
            #expect(answer.status == 413)
        }
    }
}
