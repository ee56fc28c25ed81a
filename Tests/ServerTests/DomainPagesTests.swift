import HTTPTypes
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// The destinations of visitors of a domain without a usable link.
@Suite struct DomainPagesTests {
    private static let host = "go.orchard.example"

    @Test func aDomainHasPagesOfItsOwnForItsRootAndForLinksThatAreNotThere() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: Self.host)
            try await exchange.update(app) {
                $0.rootURL = "https://orchard.example.com/"
                $0.notFoundURL = "https://orchard.example.com/404?from=link"
            }
            let root = try await exchange.get("/", host: Self.host)
            #expect(root.status == 302 && root.location == "https://orchard.example.com/")
            #expect(root.headers[.cacheControl] == "no-store")
            let missing = try await exchange.get("/nothing", host: Self.host)
            #expect(missing.status == 302 && missing.location == "https://orchard.example.com/404?from=link")
            // Programs get an error that describes the problem, and resources that a browser requests by itself are not redirected.
            #expect(try await exchange.get("/nothing", host: Self.host, headers: [.accept: "application/json"]).errorCode == 404)
            let picture = try await exchange.get(
                "/pear.png", host: Self.host, headers: [HTTPField.Name("Sec-Fetch-Dest")!: "image"])
            #expect(picture.status == 404)
            // Other hosts keep Linden's page.
            #expect(try await exchange.get("/nothing").status == 404)
        }
    }

    @Test func aDomainsPageForExpiredLinksComesAfterTheLinksOwn() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: Self.host)
            try await exchange.update(app) { $0.expiredURL = "https://orchard.example.com/over" }
            let past: JSONObject = ["expires_at": "2020-01-01T00:00:00Z"]
            let plain = try await exchange.createLink(app.live.key.branchKey, past)
            let own = try await exchange.createLink(
                app.live.key.branchKey, past.merging(["expired_url": "https://orchard.example.com/sale"]))
            let counted = try await exchange.createLink(app.live.key.branchKey, ["max_clicks": 1])

            let answer = try await exchange.get(plain, host: Self.host)
            #expect(answer.status == 302 && answer.location == "https://orchard.example.com/over")
            #expect(try await exchange.get(own, host: Self.host).location == "https://orchard.example.com/sale")
            #expect(try await exchange.get(counted, host: Self.host).status == 200)
            #expect(try await exchange.get(counted, host: Self.host).location == "https://orchard.example.com/over")
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks") == 1)
            // The doctor reports the same destination.
            let inspection = try await exchange.services.clicks.inspect(host: Self.host, path: plain, query: nil)
            let destination = try #require(inspection).destination(for: ExampleVisitor.all[0].visitor)
            #expect(destination.action.target?.address == "https://orchard.example.com/over")
        }
    }

    @Test func anExpiredLinkIsAnErrorForProgramsAndHasNoClick() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: Self.host)
            let path = try await exchange.createLink(app.live.key.branchKey, ["expires_at": "2020-01-01T00:00:00Z"])
            #expect(try await exchange.get(path, host: Self.host, headers: [.accept: "application/json"]).errorCode == 410)
            #expect(try await exchange.get(path + "?click=click", host: Self.host).status == 410)
            #expect(try await exchange.get(path, host: Self.host).status == 410)
        }
    }

    @Test func aPageThatIsTakenBackIsGone() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: Self.host)
            try await exchange.update(app) { $0.notFoundURL = "https://orchard.example.com/404" }
            #expect(try await exchange.get("/nothing", host: Self.host).status == 302)
            try await exchange.update(app) { $0.notFoundURL = nil }
            #expect(try await exchange.get("/nothing", host: Self.host).status == 404)
        }
    }

    @Test(arguments: [
        "javascript:alert(1)", "orchard.example.com", "https://", "ftp://orchard.example.com/", "https://go.orchard.example/home",
        "https://go.example.com/home", "https://GO.orchard.example:8443/", "https://orchard.example.com/a b",
        "https://x.example/\u{1}",
        "https://x.example/" + String(repeating: "x", count: 2048),
    ])
    func anAddressThatCouldNotBeReachedOrLeadsBackIsRefused(url: String) async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: Self.host)
            let failure = await #expect(throws: Failure.self) { try await exchange.update(app) { $0.notFoundURL = url } }
            #expect(failure?.message.contains("not_found_url") == true)
            #expect(try await exchange.services.domains.domain(Self.host)?.pages == DomainPages())
        }
    }

    @Test func anotherAppsDomainIsNotChanged() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(domain: Self.host)
            let other = try await exchange.installation.createApp("Other")
            let failure = await #expect(throws: Failure.self) {
                try await exchange.update(other) { $0.rootURL = "https://x.example/" }
            }
            #expect(failure?.code == .notFound)
        }
    }

    // MARK: The root of the server

    @Test(arguments: ["go.example.com", "127.0.0.1:8080", "unregistered.example"])
    func theRootOfTheServerSaysThatItRuns(host: String) async throws {
        try await Exchange.run { exchange in
            let page = try await exchange.get("/", host: host)
            #expect(page.status == 200)
            #expect(page.body.contains("Linden is running") && page.body.contains("linden links create"))
            #expect(page.body.contains("README.md") && page.body.contains("href=\"/openapi.yaml\""))
            #expect(page.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'none'; style-src 'sha256-") == true)
            #expect(try await exchange.send(.head, "/", host: host, userAgent: UserAgents.iPhone).status == 200)
            // A long link without a key belongs to no app there.
            #expect(try await exchange.get("/?channel=mail", host: host).status == 404)
        }
    }

    @Test func theRootOfADomainIsNotTheServers() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.installation.createApp(domain: Self.host)
            let page = try await exchange.get("/", host: Self.host)
            #expect(page.status == 404)
            #expect(!page.body.contains("Linden"))
        }
    }
}

extension Exchange {
    fileprivate func update(_ app: CreatedApp, _ change: @escaping @Sendable (inout DomainPages) -> Void) async throws {
        _ = try await services.domains.update("go.orchard.example", of: app.live.key.scope, change)
    }
}
