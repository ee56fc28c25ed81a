import HTTPTypes
import Linden
import LindenKernel
import LindenLedger
import LindenServices
import LindenTesting
import RoutePatterns
import Testing

/// The lists of the management API: links, clicks and sessions, page by page.
@Suite struct ManagedListsTests {
    @Test func linksAreListedByConditionsOrderAndPage() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, token) = (app.live.key.branchKey, try await exchange.token(.analyst, for: app))
            for (alias, channel) in [("pears", "mail"), ("plums", "sms"), ("figs", "mail"), ("dates", "mail")] {
                _ = try await exchange.createLink(
                    key, ["alias": .string(alias), "channel": .string(channel), "tags": ["ripe", .string(alias)]])
                exchange.installation.clock.advance(by: .seconds(3600))
            }
            _ = try await exchange.createLink(app.test.key.branchKey, ["alias": "tests", "channel": "mail"])
            func urls(_ query: String) async throws -> [[String]] {
                try await exchange.pages("/api/v1/links?app=\(app.app.id)\(query)", token: token, of: "links", "url").map { page in
                    page.map { String($0.dropFirst("https://go.example.com/".count)) }
                }
            }
            #expect(try await urls("") == [["dates", "figs", "plums", "pears"]])
            #expect(try await urls("&channel=mail&limit=2") == [["dates", "figs"], ["pears"]])
            #expect(try await urls("&channel=mail&limit=2&sort=oldest") == [["pears", "figs"], ["dates"]])
            #expect(try await urls("&search=LUM") == [["plums"]])
            #expect(try await urls("&tag=figs") == [["figs"]])
            #expect(try await urls("&state=deleted") == [[]])
            #expect(try await urls("&from=2027-01-15T08:30:00Z&to=2027-01-15T10:30:00Z") == [["figs", "plums"]])
            #expect(try await urls("&to=2027-01-14") == [[]])
        }
    }

    @Test func tokensAreListedPageByPage() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (all, own) = (try await exchange.token(), try await exchange.token(for: app))
            for number in 1...4 {
                _ = try await exchange.services.tokens.create(
                    name: "t\(number)", role: .analyst, app: number < 3 ? app.app.id : nil)
            }
            func names(_ token: String) async throws -> [[String]] {
                try await exchange.pages("/api/v1/tokens?limit=2", token: token, of: "tokens", "name")
            }
            #expect(try await names(all) == [["test", "test"], ["t1", "t2"], ["t3", "t4"]])
            #expect(try await names(own) == [["test", "t1"], ["t2"]])
            let wrong = try await exchange.manage(.get, "/api/v1/tokens?limit=0", token: all)
            #expect(wrong.errorMessage == "limit must be a whole number from 1 to 1000.")
        }
    }

    @Test func domainsAndRulesAreListedPageByPage() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp(domain: "go.orchard.example")
            let other = try await exchange.installation.createApp("Meadow", domain: "b.meadow.example")
            let (all, own) = (try await exchange.token(), try await exchange.token(for: app))
            for host in ["c.orchard.example", "a.orchard.example"] {
                _ = try await exchange.services.domains.add(host, to: app.live.key.scope)
            }
            _ = try await exchange.services.domains.add("t.orchard.example", to: app.test.key.scope)
            try await exchange.services.domains.associate(other.app.id, with: "go.example.com")
            func hosts(_ query: String, _ token: String) async throws -> [[String]] {
                try await exchange.pages("/api/v1/domains?limit=2" + query, token: token, of: "domains", "domain")
            }
            let orchard = [["a.orchard.example", "c.orchard.example"], ["go.orchard.example", "t.orchard.example"]]
            #expect(try await hosts("", own) == orchard)
            #expect(try await hosts("&app=\(app.app.id)", own) == [orchard[0], ["go.orchard.example"]])
            #expect(
                try await hosts("", all) == [
                    ["a.orchard.example", "b.meadow.example"], ["c.orchard.example", "go.orchard.example"],
                    ["t.orchard.example", "go.example.com"],
                ])

            for number in 1...3 {
                _ = try await exchange.services.rewards.add(
                    try NewRewardRule("event-\(number)", .actor, 1), to: app.live.key.scope, try CreditCall())
            }
            let rules = "/api/v1/rewards?limit=2&app=\(app.app.id)"
            #expect(
                try await exchange.pages(rules, token: own, of: "rewards", "event") == [["event-1", "event-2"], ["event-3"]])
        }
    }

    /// Short lists have a bound.
    @Test func anAppHasABoundedNumberOfDomainsRoutesAndRules() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (token, id) = (try await exchange.token(for: app), "\(app.app.id)")
            for number in 1...Domain.mostOfScope {
                _ = try await exchange.services.domains.add("go\(number).example.com", to: app.live.key.scope)
            }
            let domain = try await exchange.manage(
                .post, "/api/v1/domains?app=" + id, token: token, ["domain": "more.example.com"])
            #expect(domain.status == 400 && domain.errorMessage == "An app may have at most 1000 domains a side.")

            let routes = (1...RouteTable.limit).map { Route(id: "r\($0)", syntax: .waapp, pattern: "r\($0)", target: "Screen") }
            _ = try await exchange.services.routes.add(routes, to: app.app.id)
            let route = try await exchange.manage(
                .post, "/api/v1/routes?app=" + id, token: token, ["syntax": "waapp", "pattern": "more", "target": "Screen"])
            #expect(route.status == 400 && route.errorMessage == "An app may have at most 500 routes.")

            for number in 1...1000 {
                _ = try await exchange.services.rewards.add(
                    try NewRewardRule("event-\(number)", .actor, 1), to: app.live.key.scope, try CreditCall())
            }
            let rule = try await exchange.manage(
                .post, "/api/v1/rewards?app=" + id, token: token, ["event": "more", "reward": "actor", "amount": 1])
            #expect(rule.status >= 400 && rule.errorMessage?.contains("1000") == true, "\(rule.body)")
        }
    }

    @Test func anAppHasABoundedNumberOfTokens() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(for: app)
            func insert(_ numbers: ClosedRange<Int64>, isRevoked: Bool) async throws {
                try await exchange.installation.storage.write { transaction in
                    for number in numbers {
                        let id = AccessToken.ID(rawValue: number)
                        try transaction.insert(
                            AccessToken(
                                id: id, name: "t", role: .ingest, app: app.app.id, hash: Array("\(number)".utf8),
                                createdAt: transaction.now))
                        if isRevoked { _ = try transaction.revokeToken(id, at: transaction.now) }
                    }
                }
            }
            func create() async throws -> (status: Int, error: String?) {
                let answer = try await exchange.manage(
                    .post, "/api/v1/tokens", token: token, ["name": "more", "role": "analyst"])
                return (answer.status, answer.errorMessage)
            }
            let count = "SELECT COUNT(*) FROM access_tokens"
            try await insert(1...1010, isRevoked: true)
            #expect(try await create().status == 200)
            // The oldest of the revoked ones are gone.
            #expect(try await exchange.rows(count) == 1002)
            #expect(try await exchange.rows(count + " WHERE id <= 10") == 0)
            try await insert(2001...2998, isRevoked: false)
            let refused = try await create()
            #expect(refused.status == 409 && refused.error?.contains("has 1000 valid tokens") == true)
            #expect(try await exchange.services.tokens.create(name: "all", role: .admin, app: nil).token.app == nil)
        }
    }

    @Test func aLinkInTheListHasWhatTheCommandLineShows() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(.analyst)
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears", "campaign": "spring"])
            let link = try await exchange.services.links.find("pears")
            let answer = try await exchange.manage(.get, "/api/v1/links?app=\(app.live.key.branchKey)", token: token)
            #expect(
                answer.json == [
                    "links": [
                        [
                            "url": "https://go.example.com/pears", "id": .string("\(link.id)"), "channel": nil, "feature": nil,
                            "campaign": "spring", "folder": nil, "archived": false, "created_at": .string(link.createdAt.iso8601),
                        ]
                    ],
                    "next_cursor": nil,
                ])
        }
    }

    @Test func clicksAreListedNewestFirstForALinkAndForTheApp() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let other = try await exchange.installation.createApp("Meadow")
            let token = try await exchange.token(.analyst)
            for (owner, alias) in [(app.live, "pears"), (app.live, "plums"), (app.test, "tests"), (other.live, "figs")] {
                _ = try await exchange.createLink(owner.key.branchKey, ["alias": .string(alias)])
            }
            for path in ["/pears", "/figs", "/plums", "/tests", "/pears?utm_source=news", "/pears"] {
                let userAgent = path == "/plums" ? UserAgents.googlebot : UserAgents.desktop
                _ = try await exchange.get(path, userAgent: userAgent)
                exchange.installation.clock.advance(by: .seconds(3600))
            }
            var ids: [String] = []
            for alias in ["pears", "plums"] { ids.append(String(try await exchange.services.links.find(alias).id.rawValue)) }
            let (pears, plums) = (ids[0], ids[1])
            func clicks(_ target: String, _ member: String) async throws -> [[String]] {
                try await exchange.pages(target, token: token, of: "clicks", member)
            }
            let ofApp = "/api/v1/clicks?app=\(app.live.key.branchKey)"
            #expect(try await clicks(ofApp + "&limit=3", "link_id") == [[pears, pears, plums], [pears]])
            #expect(try await clicks(ofApp + "&limit=3", "robot") == [["null", "null", "crawler"], ["null"]])
            #expect(try await clicks(ofApp + "&visitor=robot", "link_id") == [[plums]])
            #expect(try await clicks(ofApp + "&visitor=person&limit=2", "link_id") == [[pears, pears], [pears]])
            let wrong = try await exchange.manage(.get, ofApp + "&visitor=cat", token: token)
            #expect(wrong.errorMessage == "visitor must be one of person, robot, not \"cat\".")
            #expect(try await clicks(ofApp + "&to=2027-01-15T10:30:00Z", "link_id") == [[plums, pears]])
            let ofLink = "/api/v1/links/\(pears)/clicks?limit=2"
            #expect(try await clicks(ofLink, "query") == [["null", "utm_source=news"], ["null"]])
            #expect(try await clicks(ofLink + "&to=2027-01-14", "query") == [[]])
            let all = try await clicks("/api/v1/links/\(pears)/clicks?limit=3", "click_id").flatMap { $0 }
            #expect(Set(all).count == 3)
        }
    }

    @Test func aClickOnALongLinkHasNoLinkID() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let (key, token) = (app.live.key.branchKey, try await exchange.token(.analyst, for: app))
            _ = try await exchange.get("/a/\(key)?channel=mail", userAgent: UserAgents.desktop)
            let answer = try await exchange.manage(.get, "/api/v1/clicks?app=\(key)", token: token)
            let clicks = answer.object["clicks"]?.array ?? []
            #expect(clicks.count == 1)
            #expect(clicks.first?.object?["link_id"] == .some(.null))
        }
    }

    @Test func totalsOfALinkAreThoseOfTheCommandLine() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(.analyst, for: app)
            let path = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
            for userAgent in [UserAgents.desktop, UserAgents.iPhone, UserAgents.googlebot] {
                _ = try await exchange.get(path, userAgent: userAgent)
            }
            let id = try await exchange.services.links.find("pears").id
            let answer = try await exchange.manage(.get, "/api/v1/links/\(id)/statistics", token: token)
            #expect(
                answer.json == ["url": "https://go.example.com/pears", "clicks": 2, "robots": 1, "sessions": 0, "installs": 0])
        }
    }

    @Test func aListShowsTheFirstKiBOfWhatVisitorsSend() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(.analyst, for: app)
            _ = try await exchange.createLink(app.live.key.branchKey, ["alias": "pears"])
            let sent = "a=" + String(repeating: "x", count: 5000)
            _ = try await exchange.get("/pears?" + sent)
            let clicks = try await exchange.manage(.get, "/api/v1/clicks?app=\(app.app.id)", token: token).object["clicks"]?.array
            #expect(clicks?.first?.object?["query"]?.string == String(sent.prefix(1024)))
        }
    }

    @Test func sessionsAreListedNewestFirstAndShownWithTheirParameters() async throws {
        try await Exchange.run { exchange in
            let app = try await exchange.installation.createApp()
            let token = try await exchange.token(.analyst, for: app)
            let key = app.live.key.branchKey
            var started: [String] = []
            for number in 1...3 {
                let answer = try await exchange.install(key, from: "198.51.100.\(number)")
                started.append(try exchange.reference(toSession: answer.object["session_id"]?.string))
            }
            _ = try await exchange.install(app.test.key.branchKey)
            let target = "/api/v1/sessions?app=\(app.app.id)&limit=2"
            let pages = try await exchange.pages(target, token: token, of: "sessions", "session_id")
            #expect(pages == [[started[2], started[1]], [started[0]]])
            #expect(try await exchange.pages(target, token: token, of: "sessions", "outcome").first == ["organic", "organic"])

            // The list reads nothing of what may be large: here it cannot even be parsed.
            try await exchange.change("UPDATE sessions SET data = '{', evidence = '{'")
            #expect(try await exchange.pages(target, token: token, of: "sessions", "session_id") == pages)
            try await exchange.change("UPDATE sessions SET data = '{\"+is_first_session\":true}', evidence = NULL")

            let shown = try await exchange.manage(.get, "/api/v1/sessions/\(started[0])", token: token).object
            #expect(shown["kind"] == "install")
            #expect(shown["app_id"]?.string == "\(app.app.id)")
            #expect(shown["mode"] == "live")
            #expect(shown["data"]?.object?["+is_first_session"] == true)
            let unknown = try await exchange.manage(.get, "/api/v1/sessions/1", token: token)
            #expect(unknown.status == 404)
            #expect(unknown.errorMessage == "There is no session 1.")
            let malformed = try await exchange.manage(.get, target + "&cursor=x", token: token)
            #expect(malformed.status == 400)
            #expect(malformed.errorMessage == "cursor must be the next_cursor of the page before.")
        }
    }
}
