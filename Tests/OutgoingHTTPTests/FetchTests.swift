import OutgoingHTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct FetchTests {
    @Test func aBodyIsReadWithItsType() async throws {
        try await TestServer.run { _ in
            .ok("logo", headers: "Content-Type: image/png\r\n")
        } test: { server in
            let body = try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/a%20b?c=é#d")
            #expect(body == FetchedBody(bytes: Array("logo".utf8), contentType: "image/png"))
            #expect(server.requests.map(\.first) == ["GET /a%20b?c=%C3%A9 HTTP/1.1"])
        }
    }

    @Test func aRequestSaysOnlyWhatItMust() async throws {
        try await TestServer.run { _ in
            .ok("", headers: "Set-Cookie: a=b\r\n")
        } test: { server in
            let client = GuardedClient.reaching(server)
            for _ in 1...2 {
                _ = try await client.get(
                    "http://127.0.0.1:\(server.port)", accept: "image/png", limit: 1, timeout: .seconds(30))
            }
            let request = [
                "GET / HTTP/1.1", "accept-encoding: identity", "accept: image/png", "connection: close",
                "host: 127.0.0.1:\(server.port)",
                "user-agent: Linden",
            ]
            #expect(server.requests.map { $0.sorted() } == [request, request])
        }
    }

    @Test func aBodyWithoutALengthIsReadToItsEnd() async throws {
        try await TestServer.run { _ in
            .init(start: "HTTP/1.1 200 OK\r\n\r\nlogo")
        } test: { server in
            let body = try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/")
            #expect(body.bytes == Array("logo".utf8))
            #expect(body.contentType == nil)
        }
    }

    @Test func aBodyOfExactlyTheLimitIsRead() async throws {
        try await TestServer.run { _ in
            .ok("12345")
        } test: { server in
            let client = GuardedClient.reaching(server)
            let body = try await client.get("http://127.0.0.1:\(server.port)/", limit: 5)
            #expect(body.bytes == Array("12345".utf8))
            await #expect(throws: FetchError.tooLarge(limit: 4)) {
                try await client.get("http://127.0.0.1:\(server.port)/", limit: 4)
            }
        }
    }

    /// The servers keep the connection open: only a client that stops reading of its own accord lets these tests end.
    @Test(arguments: [
        TestServer.Reply(start: "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n", end: .silence),
        TestServer.Reply(start: "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999\r\n\r\n", end: .endless),
        TestServer.Reply(start: "HTTP/1.1 200 OK\r\n\r\n123456", end: .silence),
        TestServer.Reply(start: "HTTP/1.1 200 OK\r\n\r\n", end: .endless),
        TestServer.Reply(
            start: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n123\r\n3\r\n456\r\n", end: .silence),
        TestServer.Reply(start: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", end: .endless),
    ])
    func aBodyThatIsTooLargeIsReadNoFurther(reply: TestServer.Reply) async throws {
        try await TestServer.run { _ in
            reply
        } test: { server in
            await #expect(throws: FetchError.tooLarge(limit: 5)) {
                try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/", limit: 5)
            }
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nlogo", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nlogo\r\n",
        "HTTP/1.1 200 OK\r\n", "", "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n",
    ])
    func aBrokenAnswerIsNone(start: String) async throws {
        try await TestServer.run { _ in
            .init(start: start)
        } test: { server in
            await #expect(throws: FetchError.unreachable) {
                try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/")
            }
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nX: "])
    func anEndlessHeadIsNotReadToItsEnd(start: String) async throws {
        try await TestServer.run { _ in
            .init(start: start, end: .endless)
        } test: { server in
            await #expect(throws: FetchError.unreachable) {
                try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/")
            }
        }
    }

    @Test(arguments: [204, 206, 304, 400, 401, 404, 500])
    func onlyStatus200Counts(status: Int) async throws {
        try await TestServer.run { _ in
            .init(start: "HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
        } test: { server in
            await #expect(throws: FetchError.status(status)) {
                try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/")
            }
        }
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nlogo"])
    func aServerThatFallsSilentIsGivenUp(start: String) async throws {
        try await TestServer.run { _ in
            .init(start: start, end: .silence)
        } test: { server in
            await #expect(throws: FetchError.timedOut) {
                try await GuardedClient.reaching(server)
                    .get("http://127.0.0.1:\(server.port)/", limit: 10, timeout: .milliseconds(300))
            }
        }
    }

    @Test func aNameServerThatFallsSilentIsGivenUp() async throws {
        let client = GuardedClient(resolver: { _, _ in
            try await Task.sleep(for: .seconds(3600))
            return []
        })
        await #expect(throws: FetchError.timedOut) {
            try await client.get("http://logo.test/", limit: 10, timeout: .milliseconds(50))
        }
    }

    @Test func aCancelledFetchEnds() async throws {
        try await TestServer.run { _ in
            .init(start: "", end: .silence)
        } test: { server in
            let fetch = Task { try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/") }
            while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            fetch.cancel()
            await #expect(throws: CancellationError.self) { try await fetch.value }
        }
    }

    @Test func aClosedPortIsUnreachable() async throws {
        var port = 0
        try await TestServer.run { _ in
            .ok("")
        } test: {
            port = $0.port
        }
        let client = GuardedClient(policy: AddressPolicy(ports: [port], exceptions: ["127.0.0.1/32"]))
        await #expect(throws: FetchError.unreachable) { try await client.get("http://127.0.0.1:\(port)/") }
    }
}
