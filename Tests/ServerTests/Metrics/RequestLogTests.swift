import Foundation
import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

@testable import Server

/// The log of requests: what it says, and what it must not.
@Suite struct RequestLogTests {
    private static func lines(_ log: RequestLog) -> [String] {
        String(decoding: log.take(), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func entries(of log: RequestLog) throws -> [JSONObject] {
        try lines(log).map { line in try #require(try JSON.parse(line).object) }
    }

    @Test func aLineNamesTheRouteAndNothingAboutThePerson() async throws {
        let log = RequestLog(format: .json)
        try await Exchange.run(requestLog: log) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["alias": "pears"])
            _ = try await exchange.get(path + "?email=ann@example.com", headers: [.referer: "https://news.example.com/"])
            _ = try await exchange.send(.get, "/v1/credits/" + String(repeating: "7", count: 18) + "?branch_key=\(key)")
            _ = try await exchange.send(HTTPRequest.Method("ANN")!, path)
        }

        let text = Self.lines(log)
        for line in text {
            for secret in ["pears", "ann", "203.0.113.7", "iPhone", "news.example", "key_live", "7777777"] {
                #expect(!line.lowercased().contains(secret.lowercased()), "\(line)")
            }
        }
        let entries = try text.map { try #require(try JSON.parse($0).object) }
        #expect(entries.map { $0["route"] } == ["/v1/url", "/{link}", "/v1/credits/{identity_id}", entries.last?["route"]])
        #expect(entries.map { $0["kind"] }.prefix(3) == ["sdk", "visit", "sdk"])
        #expect(entries[0]["method"] == "POST" && entries[0]["status"] == 200 && entries[3]["method"] == "other")
        #expect(entries[0]["bytes"]?.int64.map { $0 > 0 } == true)
    }

    @Test func aVisitAheadOfTheRouterHasTheSameLine() async throws {
        let log = RequestLog(format: .text)
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/d"]])
            // Through the router, which caches the link and the day's address key.
            for _ in 1...2 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            let connection = try await VisitConnection(exchange, from: "127.0.0.1", requestLog: log)
            try await connection.get(path, headers: [("User-Agent", UserAgents.desktop), ("X-Request-Id", "proxy-42")])
            let answer = try await connection.answer()
            try await connection.close()
            #expect(answer.status == 302 && answer["x-request-id"] == nil)
        }

        let line = try #require(Self.lines(log).first)
        #expect(
            line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z proxy-42 GET \/\{link\} 302 0 \d+\.\d{3}ms/) != nil,
            "\(line)")
    }

    @Test func theAnswerCarriesTheIdOfItsLine() async throws {
        let log = RequestLog(format: .json)
        try await Exchange.run(requestLog: log) { exchange in
            let own = try await exchange.get("/healthz")
            let given = try await exchange.get("/healthz", headers: [.requestID: "proxy-42"])
            let entries = try Self.entries(of: log)
            #expect(entries.map { $0["id"]?.string } == [own.headers[.requestID], given.headers[.requestID]])
            #expect(given.headers[.requestID] == "proxy-42")
        }
    }

    @Test func onlyATrustedProxyNamesARequest() async throws {
        let log = RequestLog(format: .json)
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        try await Exchange.run(trustedProxies: ["10.0.0.0/8"], requestLog: log) { exchange in
            let answer = try await exchange.get("/healthz", headers: [.requestID: "ann", .traceParent: trace])
            #expect(try #require(answer.headers[.requestID]).wholeMatch(of: /[0-9a-f]{16}/) != nil)

            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key, ["data": ["$desktop_url": "https://orchard.example.com/d"]])
            for _ in 1...2 { _ = try await exchange.get(path, userAgent: UserAgents.desktop) }
            let connection = try await VisitConnection(exchange, from: "203.0.113.7", requestLog: log)
            try await connection.get(
                path, headers: [("User-Agent", UserAgents.desktop), ("X-Request-Id", "ann"), ("traceparent", trace)])
            #expect(try await connection.answer().status == 302)
            try await connection.close()
        }

        let ids = try Self.entries(of: log).map { $0["id"]?.string ?? "" }
        #expect(ids.count == 5 && ids.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{16}/) != nil }, "\(ids)")
    }

    @Test func withoutALogAnswersCarryNoId() async throws {
        try await Exchange.run { exchange in
            let answer = try await exchange.get("/healthz", headers: [.requestID: "proxy-42"])
            #expect(answer.headers[.requestID] == nil)
        }
    }

    @Test(
        arguments: [
            ("a.B-9_", nil, "a.B-9_"), ("has space", nil, nil), ("", nil, nil), (String(repeating: "a", count: 65), nil, nil),
            ("\"quoted\"", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "4bf92f3577b34da6a3ce929d0e0e4736"),
            (nil, "00-00000000000000000000000000000000-00f067aa0ba902b7-01", nil),
            (nil, "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", nil), (nil, "00-4bf9", nil),
        ] as [(String?, String?, String?)])
    func anIdIsTakenOverOnlyIfItIsOne(requestID: String?, traceParent: String?, id: String?) {
        let logged = LoggedRequestID(requestID: requestID, traceParent: traceParent).description
        if let id { #expect(logged == id) } else { #expect(logged.wholeMatch(of: /[0-9a-f]{16}/) != nil) }
    }

    @Test func newIdsDiffer() {
        let ids = (1...1000).map { _ in LoggedRequestID(requestID: nil, traceParent: nil).description }
        #expect(Set(ids).count == ids.count)
    }

    @Test(
        arguments: [
            (0, 0, "0 0.000ms"), (9, 999, "9 0.000ms"), (10, 9_999_999, "10 9.999ms"),
            (1_048_576, 12_345_678_901, "1048576 12345.678ms"),
            (100, -5, "100 0.000ms"),
        ] as [(Int, Int64, String)])
    func aLineHasItsNumbersInFull(bytes: Int, nanoseconds: Int64, end: String) throws {
        let log = RequestLog(format: .text, clock: TestClock().clock)
        log.add(
            RequestLog.Entry(
                id: LoggedRequestID(requestID: "a", traceParent: nil), method: "GET", kind: .other, route: "/healthz", status: 200,
                bytes: bytes, nanoseconds: nanoseconds))
        #expect(try #require(Self.lines(log).first).hasSuffix("Z a GET /healthz 200 \(end)"))
    }

    @Test func aReaderThatStallsLosesLinesWhichAreCounted() {
        let log = RequestLog(format: .text, clock: TestClock().clock)
        let entry = RequestLog.Entry(
            id: LoggedRequestID(requestID: String(repeating: "a", count: 64), traceParent: nil), method: "GET", kind: .other,
            route: nil, status: 404, bytes: nil, nanoseconds: 1_234_567)
        while log.dropped == 0 { log.add(entry) }
        #expect(log.take().count < RequestLog.mostWaitingBytes + 200)
        log.add(entry)
        #expect(log.dropped == 1 && Self.lines(log).count == 1)
    }
}
