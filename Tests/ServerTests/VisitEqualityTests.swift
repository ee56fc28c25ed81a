import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import LinkRouting
import Testing

/// The two ways of a visit, through the router and ahead of it: same answer, same record.
@Suite struct VisitEqualityTests {
    @Test func headersOfRecordedRequestsMeanTheSameOnBothWays() async throws {
        let recorded = try Recording.all().flatMap(\.lines).filter { $0["method"]?.string == "GET" }
        let heads = Set(recorded.map(Self.headers))
        #expect(heads.count > 3)
        try await run { both in
            for head in heads.sorted(by: { "\($0)" < "\($1)" }) {
                let headers = head.map { ($0[0], $0[1]) }
                for path in both.paths { try await both.compare(path, headers) }
            }
        }
    }

    /// The headers of a recorded request, as pairs.
    private static func headers(_ line: JSONObject) -> [[String]] {
        var headers: [[String]] = []
        for (name, value) in line["headers"]?.object ?? [:] {
            if let text = value.string, !text.contains("{{") { headers.append([name, text]) }
        }
        return headers
    }

    @Test(arguments: [UserAgents.iPhone, UserAgents.android, UserAgents.desktop, UserAgents.googlebot, ""])
    func browsersAreAnsweredTheSameOnBothWays(userAgent: String) async throws {
        try await run { both in
            for path in both.paths {
                for query in Self.queries { try await both.compare(path + query, [("User-Agent", userAgent)]) }
            }
        }
    }

    @Test func randomHeadsMeanTheSameOnBothWays() async throws {
        try await run { both in
            var dice = Dice(seed: 21)
            var taken = 0
            for _ in 0..<1000 {
                let target = dice.pick(both.paths) + dice.pick(Self.queries)
                let headers = (0..<dice.roll(7)).map { _ in (dice.pick(Self.names), dice.pick(Self.values)) }
                if try await both.compare(target, headers) { taken += 1 }
            }
            #expect(taken > 200, "visits are answered ahead of the router")
        }
    }

    @Test func aVisitThatAnnouncesAnEmptyBodyIsAnsweredAheadOfTheRouter() async throws {
        try await run { both in
            let path = try #require(both.paths.first)
            let headers = [("User-Agent", UserAgents.desktop), ("Content-Length", "0")]
            // The first visit makes the address key of its day.
            try await both.compare(path, headers)
            #expect(try await both.compare(path, headers))
        }
    }

    private static let queries = [
        "", "?", "?a=b", "?a?b", "?$deeplink_path=x%20y&utm_source=mail", "?a=%C3%A9", "?debug=1", "?click=click", "?validate=true",
        "?%24ios_url=https%3A%2F%2Fother.example", "?$idfa=6D92078A-8246-4BA4-AE5B-76104861E7DC", "/", "//", "/x",
    ]

    private static let names = [
        "User-Agent", "user-agent", "USER-AGENT", "Referer", "Accept-Language", "Cookie", "Accept", "Origin", "Sec-Fetch-Dest",
        "Sec-Purpose", "Purpose", "X-Moz", "x-purpose", "Prefer-Html-Meta-Tags", "Sec-CH-UA", "sec-ch-ua-platform",
        "Sec-CH-UA-Mobile", "Sec-CH-UA-Model", "X-Forwarded-Proto", "Forwarded", "Accept-Encoding", "X-Other", "Sec-CH",
    ]

    private static let values = [
        UserAgents.iPhone, UserAgents.android, UserAgents.desktop, UserAgents.googlebot, "", "a", "de-DE,de;q=0.9", "document",
        "image", "prefetch", "Prefetch;prerender", "_s=1; _c=2", "_s=123456789012345678", ";;;=", "https", "HTTPS", "http, https",
        "null", "https://page.example/path?x=1", "al", "og, al", "\"Chromium\";v=\"126\", \"Not.A/Brand\";v=\"24\"", "?1",
        "\"Android\"", "\"Pixel 8\"", "application/json", "text/html", "für", "a\tb", "for=192.0.2.1;proto=https", " x", "x ",
        String(repeating: "(", count: 3000), String(repeating: "e\u{301}", count: 200),
    ]

    private func run(_ body: @escaping @Sendable (BothWays) async throws -> Void) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let paths = [
                try await exchange.createLink(
                    key, ["alias": "web", "data": ["$fallback_url": "https://orchard.example.com/d?x=1"]]),
                try await exchange.createLink(key, ["alias": "app"]),
                try await exchange.createLink(
                    key,
                    [
                        "alias": "pages", "channel": "mail",
                        "data": [
                            "$always_deeplink": false, "$ios_url": "https://orchard.example.com/i?a=b#c",
                            "$android_url": "https://orchard.example.com/%C3%BC", "$samsung_url": "https://orchard.example.com/s",
                            "$fallback_url": "https://orchard.example.com/#d",
                        ],
                    ]),
            ]
            let both = try await BothWays(exchange: exchange, paths: paths)
            try await body(both)
            try await both.close()
        }
    }
}

private actor BothWays {
    let exchange: Exchange
    let paths: [String]
    private var connection: VisitConnection
    /// Whether the connection takes no further request: one with many bytes of headers is its last.
    private var isLast = false

    init(exchange: Exchange, paths: [String]) async throws {
        self.exchange = exchange
        self.paths = paths
        connection = try await Self.connect(exchange)
    }

    private static func connect(_ exchange: Exchange) async throws -> VisitConnection {
        try await VisitConnection(exchange, from: "127.0.0.1")
    }

    func close() async throws {
        try await connection.close()
    }

    /// Makes a visit through the router, then the same on the connection.
    ///
    /// - Returns: whether the connection's handler answered it; false if it left it to the router, which always may.
    @discardableResult
    func compare(_ target: String, _ headers: [(String, String)]) async throws -> Bool {
        let place = Comment(rawValue: "GET \(target) \(headers)")
        var fields = HTTPFields()
        for (name, value) in headers { fields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value)) }
        let before = try await clicks()
        let routed = try await exchange.get(target, userAgent: nil, headers: fields)
        let between = try await clicks()
        let routedClick = between > before ? try await summary() : nil

        if isLast {
            try await connection.close()
            connection = try await Self.connect(exchange)
        }
        try await connection.get(target, headers: headers + [("X-Forwarded-For", "203.0.113.7")])
        if let head = try await connection.forwarded() {
            #expect(head.path == target, place)
            isLast = head.headerFields[.connection] == "close"
            try await connection.answerForwarded(.ok)
            _ = try await connection.answer()
            return false
        }
        let answer = try await connection.answer()
        isLast = answer["connection"] == "close"
        #expect(answer.status == routed.status, place)
        let expected = routed.headers.map { [$0.name.canonicalName, $0.value] }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(Self.comparable(answer.headers) == Self.comparable(expected), place)
        if routed.status == 302 { #expect(answer.body.isEmpty, place) }
        let recorded = try await clicks() - between
        #expect(recorded == between - before, place)
        if let routedClick, recorded > 0 {
            let click = try await summary()
            #expect(click == routedClick, place)
        }
        return true
    }

    private func clicks() async throws -> Int64 {
        try await exchange.rows("SELECT COUNT(*) FROM clicks")
    }

    /// The newest click without its ids.
    private func summary() async throws -> [String] {
        let click = try await exchange.lastClick()
        return [
            "\(click.link)", "\(click.scope)", "\(click.visitor)", click.address, "\(click.addressClass)", "\(click.site ?? -1)",
            click.userAgent, "\(click.referrer ?? "none")", "\(click.referrerHost ?? "none")", "\(click.query ?? "none")",
            "\(String(describing: click.action))", "\(String(describing: click.reason))", "\(click.browser == nil)",
            "\(click.isReportable)",
        ]
    }

    /// Returns the headers that both ways send, without the ids of the click. The policy of a page has a hash of its script, which has the id.
    private static func comparable(_ headers: [[String]]) -> [[String]] {
        headers.filter { !["content-length", "date", "connection", "content-security-policy"].contains($0[0]) }
            .map { [$0[0], $0[1].replacing(/[0-9]{15,}/, with: "#")] }
            .sorted { $0.lexicographicallyPrecedes($1) }
    }
}
