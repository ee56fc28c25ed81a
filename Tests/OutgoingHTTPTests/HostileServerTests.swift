import Foundation
import LindenTesting
import OutgoingHTTP
import Testing

/// The server that a stranger names answers as it likes. Each of these answers is refused, and the process goes on.
@Suite(.timeLimit(.minutes(1))) struct HostileServerTests {
    /// Answers that are none: statuses that do not exist, heads that only inform without end, and answers after another.
    static let broken = [
        "HTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 001 OK\r\n\r\n",
        "HTTP/1.1 099 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", "HTTP/1.0 000 OK\r\n\r\nhi",
        "HTTP/1.1 000 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 000 OK\r\nContent-Length: 2\r\n\r\nhi",
        String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 11) + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 99 OK\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.1 -01 OK\r\nContent-Length: 2\r\n\r\nhi",
    ]

    @Test(arguments: broken) func anAnswerThatHTTPDoesNotKnowIsNone(start: String) async throws {
        try await TestServer.run { _ in
            .init(start: start)
        } test: { server in
            let url = "http://127.0.0.1:\(server.port)/"
            await #expect(throws: FetchError.unreachable) { try await GuardedClient.reaching(server).get(url) }
            await #expect(throws: DirectFetchError.noAnswer) {
                try await DirectClient.getJSON(url, limit: 1000, timeout: .seconds(30))
            }
            await #expect(throws: DirectFetchError.noAnswer) {
                // The scripted server answers at an empty line.
                try await DirectClient.post(Array("\r\n\r\n".utf8), to: url, timeout: .seconds(30))
            }
        }
    }

    @Test func aFewHeadsThatOnlyInformComeAheadOfTheAnswer() async throws {
        try await TestServer.run { _ in
            .init(
                start: "HTTP/1.1 100 Continue\r\n\r\n"
                    + String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 4)
                    + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        } test: { server in
            let body = try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/")
            #expect(body.bytes == Array("hi".utf8))
        }
    }

    /// The servers keep the connection open: only a client that stops reading of its own accord lets these tests end.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;pear=", "HTTP/1.1 200 " + String(repeating: "o", count: 200_000),
    ])
    func whatIsSentAroundABodyHasALimit(start: String) async throws {
        try await TestServer.run { _ in
            .init(start: start, end: .endless)
        } test: { server in
            await #expect(throws: FetchError.self) {
                try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/")
            }
        }
    }

    /// A connection that TLS does not end holds a megabyte of root certificates, and the caller no longer waits for it.
    @Test func aServerThatDoesNotEndTLSIsLeft() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
        try Data(SelfSignedCertificate.certificatePEM.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await TestServer.run(tls: SelfSignedCertificate.serverContext()) { _ in
            TestServer.Reply(start: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", end: .deafness)
        } test: { server in
            let client = try DirectClient(
                connectingTo: DirectClient.Place(host: "127.0.0.1", port: server.port), trusting: file.path)
            let answer = try await client.get("https://logo.test/", limit: 1000, timeout: .seconds(30))
            #expect(answer.bytes == Array("hi".utf8))
            while server.stays.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            #expect(server.stays[0] < .seconds(3))
        }
    }

    @Test func answersThatAreChangedAtRandomEndNoFetchButTheirOwn() async throws {
        let whole = [
            "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Type: image/png\r\n\r\nlogo",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nlo\r\n2\r\ngo\r\n0\r\nX: y\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /a\r\n\r\n",
            "HTTP/1.0 204 None\r\nConnection: keep-alive\r\n\r\nHTTP/1.1 304 None\r\n\r\n",
        ].map { Array($0.utf8) }
        let parts = [
            "HTTP/1.1 ", "000", "100", "199", "999", "\r\n", "\r\n\r\n", "0\r\n\r\n", "Content-Length: ", "-1", "\u{0}", ":", "1e9",
        ]
        try await TestServer.run { path in
            var dice = Dice(seed: UInt64(path.dropFirst()) ?? 0)
            var answer = dice.pick(whole)
            for _ in 0...dice.roll(4) {
                let place = dice.roll(answer.count)
                answer.replaceSubrange(place..<min(answer.count, place + dice.roll(7)), with: dice.pick(parts).utf8)
            }
            return .init(start: String(decoding: answer, as: UTF8.self))
        } test: { server in
            let client = GuardedClient.reaching(server)
            for number in 1...500 {
                _ = try? await client.get("http://127.0.0.1:\(server.port)/\(number)")
            }
            #expect(server.requests.count >= 500)
        }
    }
}
