import Dashboard
import HTTPTypes
import Linden
import LindenServices
import LindenTesting
import Testing

/// Who may use which page and action of the dashboard: each of the table, by each role, for one app, another and all.
@Suite struct DashboardAccessTests {
    private static let actionsThatEndTheSession = ["/dashboard/sign-out", "/dashboard/sign-out-everywhere"]
    private static let routesOfUsers = DashboardRoute.all.filter {
        $0.access != .anyone && !actionsThatEndTheSession.contains($0.pattern)
    }

    @Test(arguments: DashboardUser.Role.allCases)
    func eachRoleMayUseItsOwnPagesOfItsOwnApp(role: DashboardUser.Role) async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let objects = try await DashboardObjects(exchange, orchard.app)
            let meadow = try await DashboardApp(exchange, "Meadow", from: "198.51.100.1")
            var browsers = [
                (try await DashboardBrowser(exchange, as: role, name: "all"), Kind.allApps),
                (try await DashboardBrowser(exchange, as: role, app: orchard.app.app.id, name: "own"), .ownApp),
                (try await DashboardBrowser(exchange, as: role, app: meadow.app.app.id, name: "other"), .otherApp),
            ]
            for route in Self.routesOfUsers {
                let path = orchard.path(of: route, setUp: "none", objects)
                for index in browsers.indices {
                    let kind = browsers[index].1
                    let answer =
                        route.method == .get
                        ? try await browsers[index].0.get(path) : try await browsers[index].0.submit(path)
                    let expected =
                        Self.isAllowed(route, role, kind)
                        ? [200, 303, 400] + (Self.actsOnce(route) ? [404] : []) : [Self.isHidden(route, role) ? 404 : 403]
                    #expect(expected.contains(answer.status), "\(route.method) \(path) by \(role), \(kind): \(answer.status)")
                    #expect(answer.location?.hasPrefix("/dashboard/sign-in") != true, "\(route.method) \(path)")
                }
            }
        }
    }

    /// Whether the second user of the action finds its object gone.
    private static func actsOnce(_ route: DashboardRoute) -> Bool {
        ["/{held}/release", "/{share}/revoke"].contains { route.pattern.hasSuffix($0) }
    }

    private enum Kind { case allApps, ownApp, otherApp }

    private static func isAllowed(_ route: DashboardRoute, _ role: DashboardUser.Role, _ kind: Kind) -> Bool {
        switch route.access {
        case .anyone, .signedIn: true
        case .app(let roles): roles.contains(role) && kind != .otherApp
        case .allApps(let roles): roles.contains(role) && kind == .allApps
        }
    }

    /// Whether the page of an app answers as if the app did not exist.
    private static func isHidden(_ route: DashboardRoute, _ role: DashboardUser.Role) -> Bool {
        if case .app(let roles) = route.access { roles.contains(role) } else { false }
    }

    @Test func aRoleMayDoWhatItsDescriptionSays() {
        func patterns(_ role: DashboardUser.Role, _ method: DashboardRequest.Method) -> Set<String> {
            Set(
                DashboardRoute.all.filter {
                    $0.method == method && $0.access.admits(role) && $0.access != .anyone && $0.access != .signedIn
                }.map(\.pattern))
        }
        #expect(
            patterns(.editor, .post).allSatisfy {
                $0.hasPrefix("/dashboard/apps/{app}/links") || $0.hasPrefix("/dashboard/apps/{app}/shares")
                    || $0 == "/dashboard/apps/{app}/exports"
            })
        #expect(patterns(.admin, .post).isSuperset(of: patterns(.editor, .post)))
        #expect(patterns(.analyst, .post) == [] && patterns(.support, .post) == [])
        #expect(!patterns(.analyst, .get).contains("/dashboard/apps/{app}/sessions"))
        #expect(!patterns(.analyst, .get).contains("/dashboard/apps/{app}/credits"))
        for page in ["events", "content", "content/object"] {
            #expect(patterns(.analyst, .get).contains("/dashboard/apps/{app}/\(page)"))
            #expect(!patterns(.support, .get).contains("/dashboard/apps/{app}/\(page)"))
        }
        #expect(DashboardRoute.all.first { $0.pattern == "/dashboard/system" }?.access == .allApps([.admin]))
        for page in ["live", "live/stream"] {
            #expect(!patterns(.analyst, .get).contains("/dashboard/apps/{app}/\(page)"))
            #expect(patterns(.support, .get).contains("/dashboard/apps/{app}/\(page)"))
        }
        #expect(!patterns(.support, .get).contains("/dashboard/apps/{app}"))
        #expect(!patterns(.analyst, .get).contains { $0.hasPrefix("/dashboard/apps/{app}/shares") })
        #expect(!patterns(.editor, .get).contains("/dashboard/apps/{app}/tokens"))
        #expect(patterns(.support, .get).contains("/dashboard/apps/{app}/sessions/{session}"))
    }

    @Test func nothingIsLookedUpForARoleThatMayNot() async throws {
        try await Exchange.run { exchange in
            let browser = try await DashboardBrowser(exchange, as: .support)
            for path in ["/dashboard/apps/1", "/dashboard/apps/none", "/dashboard/apps/1/links/1/edit"] {
                #expect(try await browser.get(path).status == 403, "\(path)")
            }
        }
    }

    @Test func withoutASessionEveryPageLeadsToTheSignIn() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let objects = try await DashboardObjects(exchange, orchard.app)
            var browser = DashboardBrowser(exchange)
            for route in DashboardRoute.all where route.access != .anyone {
                let path = orchard.path(of: route, setUp: "none", objects)
                let answer = route.method == .get ? try await browser.get(path) : try await browser.submit(path)
                #expect(answer.status == 303 && answer.location?.hasPrefix("/dashboard/sign-in") == true, "\(path)")
                #expect(answer.body == "")
            }
        }
    }

    @Test func everythingIsShownOfItsOwnAppOnly() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let meadow = try await DashboardApp(exchange, "Meadow", from: "198.51.100.1")
            let objects = try await DashboardObjects(exchange, orchard.app)
            let browser = try await DashboardBrowser(exchange, as: .admin)
            for path in [meadow.path, orchard.path + ".test"] {
                for pattern in [
                    "/domains/{domain}", "/domains/{domain}/remove", "/rewards/{rule}/remove", "/held-rewards/{held}/refuse",
                    "/tokens/{token}/revoke", "/exports/{job}/download", "/privacy/{request}", "/privacy/{request}/download",
                    "/credits",
                    "/credits/reversals", "/identities", "/identities/erase", "/content/object",
                    "/links/templates/delete",
                ] where !(path.hasSuffix(".test") && pattern.hasPrefix("/tokens")) {
                    let page = try await browser.get(objects.path(of: path + pattern))
                    #expect(page.status == 404, "\(path + pattern)")
                }
            }
            for path in [
                "\(meadow.path)/links/\(orchard.link.id)", "\(meadow.path)/sessions/\(orchard.session)",
                "\(orchard.path).test/links/\(orchard.link.id)", "\(orchard.path).test/sessions/\(orchard.session)",
                "\(meadow.path)/links/\(orchard.link.id)/code.svg", "\(meadow.path)/links/\(orchard.link.id)/code",
                "\(meadow.path)/links/x", "\(meadow.path)/sessions/x",
            ] {
                #expect(try await browser.get(path).status == 404, "\(path)")
            }
        }
    }

    // MARK: Forms of other sites

    @Test(
        arguments: [
            [.init("Sec-Fetch-Site")!: "cross-site"], [.init("Sec-Fetch-Site")!: "same-site"], [.init("Sec-Fetch-Site")!: "none"],
            [:], [.origin: "https://evil.example"], [.origin: "null"], [.origin: "http://go.example.com"],
            [.origin: "https://go.example.com:8443"], [.origin: "https://go.example.com.evil.example"], [.origin: ""],
            [.origin: "https://go.example.com", .init("Sec-Fetch-Site")!: "cross-site"],
        ] as [HTTPFields])
    func aFormOfAnotherSiteIsRefused(site: HTTPFields) async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            let objects = try await DashboardObjects(exchange, orchard.app)
            var browser = try await DashboardBrowser(exchange, as: .admin)
            for route in DashboardRoute.all where route.method == .post {
                let path = orchard.path(of: route, setUp: "none", objects)
                #expect(try await browser.submit(path, from: site).status == 403, "\(path)")
            }
            #expect(try await browser.get("/dashboard").status == 200)
        }
    }

    @Test func aBrowserWithoutFetchMetadataNamesItsOrigin() async throws {
        try await Exchange.run { exchange in
            let orchard = try await DashboardApp(exchange)
            var browser = try await DashboardBrowser(exchange, as: .admin)
            for origin in ["https://go.example.com", "https://go.example.com:443"] {
                let answer = try await browser.submit("\(orchard.path)/links", ["retry_key": origin], from: [.origin: origin])
                #expect(answer.status == 303, "\(origin)")
            }
        }
    }
}
