import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@testable import Server

/// Small calls of SDKs, which are answered ahead of the connection's loop, with the answers of the router.
@Suite struct SmallCallTests {
    private static let phone: JSONObject = [
        "os": "iOS", "os_version": "17.5.1", "ios_vendor_id": "0B2C1E5A-7C3B-4C59-9C6C-1D8C0A0F4E11",
    ]

    @Test(arguments: ["/v1/open", "/v1/install", "/v1/url", "/v1/event", "/v2/event/standard", "/v1/close"])
    func aCallIsAnsweredAsByTheRouter(path: String) async throws {
        try await Self.run { exchange, connection, key in
            let body: JSONObject = Self.phone.merging(["branch_key": .string(key), "event": "view", "name": "PURCHASE"])
            let routed = try await exchange.post(path, .object(body))
            try await connection.post(path, .object(body))
            try #require(try await connection.forwarded() == nil, "the call is not forwarded")
            let answer = try await connection.answer()
            #expect(answer.status == routed.status)
            #expect(Self.names(answer.headers) == Self.names(of: routed))
            let sent = try JSON.parse(answer.body).object ?? [:]
            #expect(sent.map(\.key).sorted() == routed.object.map(\.key).sorted())
        }
    }

    @Test(arguments: [
        ("/v1/open", #"{"branch_key":"key_live_unknown"}"#), ("/v1/open", "{"), ("/v1/event", ""), ("/v1/url", "[]"),
        ("/v1/install", "branch_key=%"),
    ])
    func anErrorIsTheRouters(path: String, body: String) async throws {
        try await Self.run { exchange, connection, _ in
            let routed = try await exchange.send(.post, path, headers: [.contentType: "application/json"], body: Array(body.utf8))
            try await connection.post(path, text: body)
            try #require(try await connection.forwarded() == nil, "the call is not forwarded")
            let answer = try await connection.answer()
            #expect(routed.status >= 400)
            #expect(answer.status == routed.status)
            #expect(answer.body == routed.body)
            #expect(Self.names(answer.headers) == Self.names(of: routed))
        }
    }

    @Test func aCallIsRecordedOnceThoughItsBodyComesInParts() async throws {
        try await Self.run { exchange, connection, key in
            let body = JSON.object(Self.phone.merging(["branch_key": .string(key), "name": "PURCHASE"])).bytes
            let head = "POST /v2/event/standard HTTP/1.1\r\nHost: go.example.com\r\nContent-Length: \(body.count)\r\n\r\n"
            try await connection.send(head)
            for part in [body[..<3], body[3..<20], body[20...]] {
                #expect(try await exchange.rows("SELECT COUNT(*) FROM events") == 0)
                try await connection.send(String(decoding: part, as: UTF8.self))
            }
            #expect(try await connection.answer().status == 200)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM events") == 1)
        }
    }

    @Test func callsAndVisitsThatArriveTogetherAreAnsweredInOrder() async throws {
        try await Self.run { exchange, connection, key in
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/d"]])
            _ = try await exchange.get(path, userAgent: UserAgents.desktop)
            let open = connection.text(of: "/v1/open", JSON.object(Self.phone.merging(["branch_key": .string(key)])).text)
            let visit = "GET \(path) HTTP/1.1\r\nHost: go.example.com\r\nUser-Agent: \(UserAgents.desktop)\r\n\r\n"
            try await connection.send(open + visit + connection.text(of: "/v1/close", "{}") + open)
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await connection.answer().status) }
            #expect(statuses[0...1] == [200, 302])
            #expect(statuses[2] >= 400, "without a key")
            #expect(statuses[3] == 200)
        }
    }

    @Test func theConnectionEndsWithTheLastCall() async throws {
        try await Self.run { exchange, connection, key in
            try await connection.post("/v1/open", ["branch_key": .string(key)], headers: ["Connection: Close"])
            let answer = try await connection.answer()
            #expect(answer["connection"] == "close")
            await connection.wait(1)
            #expect(!connection.isOpen)
        }
    }

    @Test(arguments: [
        ("/v1/credits", "Content-Length: 2"), ("/v1/open?a=b", "Content-Length: 2"), ("/v1/open", "Transfer-Encoding: chunked"),
        ("/v1/open", "Content-Length: 16385"), ("/v1/open", "Content-Length: 2\r\nExpect: 100-continue"),
    ])
    func whatIsNoSmallCallIsForwarded(path: String, header: String) async throws {
        try await Self.run { exchange, connection, _ in
            let isChunked = header.hasPrefix("Transfer")
            let isLarge = header.hasSuffix("16385")
            let body = isChunked ? "2\r\n{}\r\n0\r\n\r\n" : isLarge ? String(repeating: " ", count: 16385) : "{}"
            try await connection.send("POST \(path) HTTP/1.1\r\nHost: go.example.com\r\n\(header)\r\n\r\n\(body)")
            #expect(try await connection.forwarded()?.path == path)
        }
    }

    @Test(arguments: ["/healthz", "/readyz"])
    func aHealthCheckIsASmallCall(path: String) async throws {
        try await Self.run { exchange, connection, _ in
            let routed = try await exchange.get(path)
            try await connection.get(path)
            try #require(try await connection.forwarded() == nil, "the health check is not forwarded")
            let answer = try await connection.answer()
            #expect(answer.status == 200)
            #expect(answer.body == routed.body)
        }
    }

    @Test func aSiteHasFewCallsUnderWayUntilItHasMany() {
        let calls = CallsUnderWay()
        #expect((0..<6).map { _ in calls.begin(of: 1) } == [true, true, true, true, false, false])
        #expect(calls.begin(of: 2), "another site")
        for _ in 0..<3 { calls.end(of: 1) }
        #expect(calls.begin(of: 1))
    }

    @Test func aBodyThatDoesNotEndIsNoCall() async throws {
        try await Self.run { exchange, connection, key in
            try await connection.send(
                "POST /v1/open HTTP/1.1\r\nHost: go.example.com\r\nContent-Length: 100\r\n\r\n{\"branch_key\"")
            await connection.wait(30)
            #expect(!connection.isOpen)
            #expect(try await exchange.rows("SELECT COUNT(*) FROM sessions") == 0)
        }
    }

    private static func run(_ body: @escaping @Sendable (Exchange, VisitConnection, String) async throws -> Void) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let connection = try await VisitConnection(exchange)
            try await body(exchange, connection, key)
            try await connection.close()
        }
    }

    /// The names of the headers that the router itself gives an answer.
    private static func names(_ headers: [[String]]) -> [String] {
        headers.map { $0[0] }.filter { $0 != "date" }.sorted()
    }

    private static func names(of answer: Exchange.Answer) -> [String] {
        answer.headers.map(\.name.canonicalName).sorted()
    }
}

extension VisitConnection {
    func post(_ path: String, _ body: JSON, headers: [String] = []) async throws {
        try await post(path, text: body.text, headers: headers)
    }

    func post(_ path: String, text body: String, headers: [String] = []) async throws {
        try await send(text(of: path, body, headers: headers))
    }

    /// The bytes of a call.
    func text(of path: String, _ body: String, headers: [String] = []) -> String {
        let lines = ["Host: go.example.com", "Content-Type: application/json", "Content-Length: \(body.utf8.count)"] + headers
        return "POST \(path) HTTP/1.1\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n" + body
    }
}
