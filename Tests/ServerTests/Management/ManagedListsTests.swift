import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
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
                            "campaign": "spring", "created_at": .string(link.createdAt.iso8601),
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
                started.append(try #require(answer.object["session_id"]?.string))
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
