import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@Suite struct DashboardSignInTests {
    @Test func anInvitedUserChoosesAPasswordAndIsSignedIn() async throws {
        try await Exchange.run { exchange in
            let secret = try await exchange.services.dashboardUsers.create(name: "ann", role: .editor, app: nil).secret
            var browser = DashboardBrowser(exchange)
            let page = try await browser.get("/dashboard/set-up/\(secret)")
            #expect(page.status == 200 && page.body.contains("For ann, role editor."))

            let password = DashboardBrowser.password
            let fields = ["password": password, "repeated": password]
            let answer = try await browser.submit("/dashboard/set-up/\(secret)", fields)

            #expect(answer.status == 303 && answer.location == "/dashboard")
            #expect(try await browser.get("/dashboard").body.contains("ann"))
            #expect(try await browser.submit("/dashboard/set-up/\(secret)", fields).status == 404)
            #expect(try await browser.get("/dashboard/set-up/\(secret)").status == 404)
        }
    }

    @Test(arguments: [
        ("short", "short", "fault-password", "at least 12 characters"),
        ("a crate of twelve apples", "a crate of twelve pears", "fault-repeated", "differ"),
    ])
    func aPasswordThatIsNotAllowedIsSaidAtItsField(password: String, repeated: String, field: String, says: String) async throws {
        try await Exchange.run { exchange in
            let secret = try await exchange.services.dashboardUsers.create(name: "ann", role: .editor, app: nil).secret
            var browser = DashboardBrowser(exchange)
            let answer = try await browser.submit("/dashboard/set-up/\(secret)", ["password": password, "repeated": repeated])
            #expect(answer.status == 400)
            let message = try #require(answer.body.firstMatch(of: /id="(fault-[a-z]+)">([^<]*)</))
            #expect(message.1 == field[...] && message.2.contains(says))
            #expect(!answer.body.contains("twelve"), "A password is not sent back.")
            #expect(try await browser.get("/dashboard/set-up/\(secret)").status == 200)
        }
    }

    @Test func theCookieIsOnlyForThisHostOverHTTPS() async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let answer = try await browser.signIn("ann@orchard.example")
            let cookie = try #require(answer.headers[.setCookie])
            #expect(
                cookie.wholeMatch(of: /__Host-linden=[A-Za-z0-9]{40}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax; Secure/)
                    != nil)
            #expect(answer.headers[.cacheControl] == "no-store")
        }
    }

    @Test(arguments: ["127.0.0.1:8080", "localhost:8080"])
    func aLaptopNeedsNoCertificate(host: String) async throws {
        try await Exchange.run(baseURL: "http://127.0.0.1:8080") { exchange in
            let browser = try await DashboardBrowser(exchange, as: .admin, host: host)
            #expect(browser.cookie?.hasPrefix("linden=") == true)
            #expect(try await browser.get("/dashboard").status == 200)
        }
    }

    @Test func anotherMachineWithoutACertificateGetsNoForm() async throws {
        try await Exchange.run(baseURL: "http://192.168.1.5:8080") { exchange in
            var browser = DashboardBrowser(exchange, host: "192.168.1.5:8080")
            let form = try await browser.get("/dashboard/sign-in")
            let answer = try await browser.signIn("ann")
            #expect(form.status == 403 && !form.body.contains("<form"))
            #expect(answer.status == 403)
        }
    }

    @Test func overHTTPSTheNameOfTheOtherCookieIsNotRead() async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            browser.cookie = browser.cookie?.replacing("__Host-linden", with: "linden")
            #expect(try await browser.get("/dashboard").status == 303)
        }
    }

    @Test func aFailedSignInNamesNoUser() async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            let wrong = try await browser.signIn("ann@orchard.example", "something else!")
            let unknown = try await browser.signIn("bob@orchard.example", "something else!")
            #expect(wrong.status == 401 && unknown.status == 401)
            #expect(wrong.body.replacing("ann@", with: "bob@") == unknown.body)
            #expect(wrong.body.contains("The name or the password is wrong."))
            #expect(!wrong.body.contains("something else"))
        }
    }

    @Test(arguments: [nil, "__Host-linden=invented", "linden=invented"])
    func aFormThatSignsInIsSmallWhateverCookieIsSent(cookie: String?) async throws {
        try await Exchange.run { exchange in
            let secret = try await exchange.services.dashboardUsers.create(name: "ann", role: .editor, app: nil).secret
            for path in ["/dashboard/sign-in", "/dashboard/sign-in/code", "/dashboard/set-up/\(secret)", "/dashboard/none"] {
                var browser = DashboardBrowser(exchange)
                browser.cookie = cookie
                let answer = try await browser.submit(path, ["name": "ann", "password": String(repeating: "p", count: 9000)])
                #expect(answer.status == 413, "\(path)")
            }
        }
    }

    @Test func failedSignInsAreLimited() async throws {
        try await Exchange.run { exchange in
            var browser = DashboardBrowser(exchange)
            for _ in 1...5 { #expect(try await browser.signIn("ann", "wrong").status == 401) }
            let answer = try await browser.signIn("ann", "wrong")
            #expect(answer.status == 429 && answer.headers[.retryAfter] == "900")
            #expect(answer.body.contains("Too many sign-ins failed"))
        }
    }

    @Test func aSessionThatAnotherPersonPutIntoTheBrowserIsReplaced() async throws {
        try await Exchange.run { exchange in
            let attacker = try await DashboardBrowser(exchange, as: .support, name: "eve")
            var browser = try await DashboardBrowser(exchange, as: .admin)
            browser.cookie = attacker.cookie
            try await browser.signIn("ann@orchard.example")
            #expect(browser.cookie != attacker.cookie)
            #expect(try await browser.get("/dashboard").body.contains("ann@orchard.example"))
            #expect(try await attacker.get("/dashboard").status == 303)
        }
    }

    @Test func anExpiredSessionLeadsBackToThePage() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var browser = try await DashboardBrowser(exchange, as: .admin)
            exchange.installation.clock.advance(by: .seconds(12 * 3600))
            let page = "\(orchard.path)/links?search=Cox%20apples&sort=oldest"
            let answer = try await browser.get(page)
            let address = try #require(answer.location)
            #expect(answer.status == 303 && address.hasPrefix("/dashboard/sign-in?to="))
            let form = try await browser.get(address)
            let to = try #require(form.body.firstMatch(of: /name="to" value="([^"]*)"/)).1.replacing("&amp;", with: "&")
            #expect(String(to) == page)
            #expect(try await browser.signIn("ann@orchard.example", to: String(to)).location == page)
        }
    }

    @Test(
        arguments: [
            "https://evil.example/", "//evil.example/dashboard", "/\\evil.example", "/dashboard/..//evil.example", "/",
            "/dashboard/../link", "/dashboard/%2e%2e/link", "/dashboard/%2E%2E/link", "/dashboard/.%2e/link",
        ])
    func aSignInLeadsToNoOtherSiteAndToNoLink(target: String) async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            #expect(try await browser.signIn("ann@orchard.example", to: target).location == "/dashboard")
            let path = "/dashboard/sign-in?to=" + DashboardBrowser.encoded(target)
            #expect(try await browser.get(path).location == "/dashboard")
        }
    }

    @Test func signingOutEndsTheSession() async throws {
        try await Exchange.run { exchange in
            var browser = try await DashboardBrowser(exchange, as: .admin)
            var other = browser
            try await other.signIn("ann@orchard.example")
            // The second sign-in replaced the session of its browser, so this one signs in again.
            try await browser.signIn("ann@orchard.example")
            let before = browser

            let answer = try await browser.submit("/dashboard/sign-out")
            #expect(answer.location == "/dashboard/sign-in" && answer.headers[.setCookie]?.contains("Max-Age=0") == true)
            #expect(try await before.get("/dashboard").status == 303)
            #expect(try await other.get("/dashboard").status == 200)

            _ = try await other.submit("/dashboard/sign-out-everywhere")
            #expect(try await other.get("/dashboard").status == 303)
        }
    }
}
