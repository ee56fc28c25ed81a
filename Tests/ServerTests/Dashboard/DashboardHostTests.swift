import HTTPTypes
import Linden
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

    @Test func itsHostIsTheDomainOfNoApp() async throws {
        try await Exchange.run(dashboard: DashboardSettings(host: "linden.example.com")) { exchange in
            let app = try await exchange.installation.createApp()
            var browser = try await DashboardBrowser(exchange, as: .admin, host: "linden.example.com")
            let domains = "/dashboard/apps/\(app.app.id)/domains"
            let form = try await browser.submit(domains, ["domain": "linden.example.com"])
            #expect(form.status == 400 && form.body.contains("is the host of the dashboard"))
            let token = try await exchange.token()
            for (path, body) in [
                ("domains?app=\(app.app.id)", ["domain": "LINDEN.example.com"]),
                ("apps", ["name": "Meadow", "domain": "linden.example.com"]),
            ] as [(String, JSON)] {
                let answer = try await exchange.manage(.post, "/api/v1/" + path, token: token, body)
                #expect(answer.status == 400)
                #expect(answer.errorMessage?.contains("is the host of the dashboard") == true, "\(answer.body)")
            }
            #expect(try await exchange.rows("SELECT COUNT(*) FROM domains") == 0)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM apps") == 1)
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

    @Test func scriptsAreSmallModulesThatStayTheSameAndOnlyTheLivePageMayConnect() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let browser = try await DashboardBrowser(exchange, as: .admin)
            var scripts: Set<String> = []
            for path in ["", "/live", "/links"] {
                let page = try await browser.get(orchard.path + path)
                scripts.formUnion(page.body.matches(of: /src="([^"]*\.js)"/).map { String($0.1) })
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.contains("connect-src") == (path == "/live"))
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self';"))
            }
            var bytes = 0
            for script in scripts {
                let answer = try await browser.get(script)
                #expect(answer.status == 200 && answer.headers[.contentType] == "text/javascript; charset=utf-8")
                #expect(answer.headers[.cacheControl] == "public, max-age=31536000, immutable")
                bytes += answer.bytes.count
            }
            #expect(scripts.count == 4 && bytes < 20_000)
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
