import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@testable import Server

/// Visits that are answered on the connection's event loop, ahead of the router.
@Suite struct FastPathHandlerTests {
    @Test func aVisitIsAnsweredAndRecordedAsByTheRouter() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/d?x=1"]])
            // The first visit creates the day's address key, the second one caches it.
            _ = try await exchange.get(path, userAgent: UserAgents.desktop)
            let routed = try await exchange.get(path, userAgent: UserAgents.desktop)
            let routedClick = try await exchange.lastClick()

            let connection = try await VisitConnection(exchange)
            try await connection.get(path)
            try #require(try await connection.forwarded() == nil, "the visit is not left to the router")
            let answer = try await connection.answer()
            try await connection.close()

            #expect(answer.status == routed.status)
            let location = try #require(answer["location"])
            #expect(withoutID(location) == withoutID(try #require(routed.location)))
            for name in [HTTPField.Name.cacheControl, .vary] { #expect(answer[name.canonicalName] == routed.headers[name]) }
            let click = try await exchange.lastClick()
            #expect(click.id != routedClick.id)
            #expect(click.link == routedClick.link && click.address == routedClick.address)
            #expect(location.contains(exchange.services.publicIDs.string(for: click.id)))
        }
    }

    @Test func aLinkWithoutClicksLeftEndsAsByTheRouter() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(
                key,
                [
                    "max_clicks": 3, "expired_url": "https://orchard.example.com/over",
                    "data": ["$desktop_url": "https://orchard.example.com/d"],
                ])
            for _ in 1...2 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            let last = try await locationOnTheEventLoop(path, exchange)
            let over = try await locationOnTheEventLoop(path, exchange)
            let routed = try await exchange.get(path, userAgent: UserAgents.desktop)
            #expect(last?.hasPrefix("https://orchard.example.com/d") == true)
            #expect(over == "https://orchard.example.com/over")
            #expect(routed.location == over)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks") == 3)
        }
    }

    /// Not by a task of the router's: a flood of such visits would delay all others.
    @Test(arguments: ["text/html", "application/json", "*/*"])
    func aVisitBeyondTheLimitIsRefusedAsByTheRouter(accept: String) async throws {
        try await Exchange.runLimited {
            $0[.visit].address = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            let path = try await exchange.createLink(key)
            for _ in 1...3 { _ = try await exchange.get(path, userAgent: UserAgents.desktop, headers: [.accept: accept]) }
            let routed = try await exchange.get(path, userAgent: UserAgents.desktop, headers: [.accept: accept])
            try #require(routed.status == 429)

            let connection = try await VisitConnection(exchange)
            for query in ["", "?pear=" + String(repeating: "g", count: 10_000)] {
                try await connection.get(path + query, headers: [("User-Agent", UserAgents.desktop), ("Accept", accept)])
                try #require(try await connection.forwarded() == nil, "the visit is not left to the router")
                // Its client waits, so that others do not.
                #expect(try await connection.hasSentNothing())
                await connection.wait(1)
                let answer = try await connection.answer()
                #expect(answer.status == 429 && answer.body == routed.body)
                for name in [HTTPField.Name.contentType, .retryAfter] {
                    #expect(answer[name.canonicalName] == routed.headers[name])
                }
            }
            try await connection.close()
            #expect(try await exchange.rows("SELECT COUNT(*) FROM clicks") == 3)
        }
    }

    /// A client has only so many connections of its own, but those of a proxy are other visitors', too.
    @Test(arguments: ["203.0.113.7", "127.0.0.1"])
    func refusalsDoNotUseUpTheConnectionsOfAProxy(peer: String) async throws {
        try await Exchange.runLimited {
            $0[.visit].address = Rate(perMinute: 3)
        } _: { exchange, key, _ async throws in
            let path = try await exchange.createLink(key)
            for _ in 1...3 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            let connection = try await VisitConnection(exchange, from: peer)
            let headers = [("User-Agent", UserAgents.desktop), ("X-Forwarded-For", "203.0.113.7")]
            for _ in 1...RefusalDelays.most { #expect(connection.delays.begin()) }
            #expect(!connection.delays.begin())
            try await connection.get(path, headers: headers)
            if peer != "127.0.0.1" {
                #expect(try await connection.hasSentNothing())
                await connection.wait(1)
            }
            #expect(try await connection.answer().status == 429)
            connection.delays.end()
            try await connection.get(path, headers: headers)
            #expect(try await connection.hasSentNothing())
            await connection.wait(1)
            #expect(try await connection.answer().status == 429)
            try await connection.close()
        }
    }

    private func locationOnTheEventLoop(_ path: String, _ exchange: Exchange) async throws -> String? {
        let connection = try await VisitConnection(exchange)
        try await connection.get(path)
        try #require(try await connection.forwarded() == nil, "the visit is not left to the router")
        let answer = try await connection.answer()
        try await connection.close()
        return answer["location"]
    }

    @Test(arguments: ["/v1/url", "/no-such-link", "/metrics"])
    func whatIsNoPlainVisitIsLeftToTheRouter(path: String) async throws {
        try await Exchange.run { exchange in
            let connection = try await VisitConnection(exchange)
            try await connection.get(path)
            #expect(try await connection.forwarded()?.path == path)
            try await connection.close()
        }
    }

    @Test func requestsThatArriveTogetherAreAnsweredInOrder() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let paths = [
                try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/a"]]),
                try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/b"]]),
            ]
            for path in paths { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            let connection = try await VisitConnection(exchange)
            let headers = "Host: \(exchange.services.baseURL.host)\r\nUser-Agent: \(UserAgents.desktop)\r\n"
            let requests = [paths[0], "/metrics", paths[1]].map { "GET \($0) HTTP/1.1\r\n\(headers)\r\n" }
            try await connection.send(requests.joined())
            #expect(try await connection.answer()["location"]?.contains("orchard.example.com/a") == true)
            #expect(try await connection.forwarded()?.path == "/metrics")
            try await connection.answerForwarded(.ok)
            #expect(try await connection.answer().status == 200)
            #expect(try await connection.answer()["location"]?.contains("orchard.example.com/b") == true)
            try await connection.close()
        }
    }

    @Test func anErrorBehindAVisitFollowsItsAnswer() async throws {
        try await Exchange.run { exchange in
            let path = try await link(exchange)
            let connection = try await VisitConnection(exchange)
            let headers = "Host: \(exchange.services.baseURL.host)\r\nUser-Agent: \(UserAgents.desktop)\r\n"
            try await connection.send("GET \(path) HTTP/1.1\r\n\(headers)\r\nNo request\r\n\r\n")
            #expect(try await connection.answer().status == 302)
            let error = try await connection.answer()
            #expect(error.status == 400)
            #expect(error["connection"] == "close")
            try await connection.close()
        }
    }

    @Test func aConnectionIsIdleAfterItsLastVisitIsAnswered() async throws {
        try await Exchange.run { exchange in
            let path = try await link(exchange)
            let connection = try await VisitConnection(exchange)
            for _ in 0..<3 {
                await connection.wait(50)
                try await connection.get(path)
                #expect(try await connection.answer().status == 302)
            }
            await connection.wait(50)
            #expect(connection.isOpen)
            await connection.wait(70)
            #expect(!connection.isOpen)
        }
    }

    /// Creates a link, visits it, and returns its path. The first visit creates the day's address key, the second one caches it.
    private func link(_ exchange: Exchange) async throws -> String {
        let key = try await exchange.installation.createApp().live.key.branchKey
        let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/a"]])
        for _ in 1...2 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
        return path
    }

    @Test(arguments: [
        ("HTTP/1.1", "close", "close"), ("HTTP/1.1", "keep-alive", nil), ("HTTP/1.1", "CLOSE, x", "close"),
        ("HTTP/1.0", "x", "close"),
        // A client of HTTP/1.0 reads until the end of the connection unless the response has this header.
        ("HTTP/1.0", "keep-alive", "keep-alive"),
    ])
    func anAnswerSaysWhetherItsConnectionPersists(version: String, connection: String, answered: String?) async throws {
        try await Exchange.run { exchange in
            let path = try await link(exchange)
            let visitor = try await VisitConnection(exchange)
            let headers = "Host: \(exchange.services.baseURL.host)\r\nUser-Agent: \(UserAgents.desktop)\r\n"
            try await visitor.send("GET \(path) \(version)\r\n\(headers)Connection: \(connection)\r\n\r\n")
            let answer = try await visitor.answer()
            #expect(answer.status == 302)
            #expect(answer["connection"] == answered)
            try await visitor.close()
        }
    }

    private func withoutID(_ url: String) -> String { url.replacing(/_branch_match_id=[0-9]+/, with: "") }
}
