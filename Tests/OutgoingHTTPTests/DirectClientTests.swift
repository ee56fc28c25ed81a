import OutgoingHTTP
import Testing

/// The client for hosts that the operator names goes to one place, once, and says what it found there.
@Suite(.timeLimit(.minutes(1))) struct DirectClientTests {
    @Test func anAnswerIsTakenAsItIsAndNoRedirectFollowed() async throws {
        try await TestServer.run { path in
            path == "/moved"
                ? .redirect("http://127.0.0.1:PORT/") : TestServer.Reply(start: "HTTP/1.1 404 No\r\nX-Why: none\r\n\r\nsorry")
        } test: { server in
            let moved = try await get("http://go.test/moved", at: server)
            #expect((moved.status, moved.header("location")) == (302, "http://127.0.0.1:\(server.port)/"))
            let missing = try await get("http://go.test/", at: server)
            #expect((missing.status, missing.header("x-why")) == (404, "none"))
            #expect(missing.bytes == Array("sorry".utf8))
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0.contains("host: go.test") })
        }
    }

    @Test func aBodyOfAMegabyteTooMuchIsNotRead() async throws {
        try await TestServer.run { _ in
            TestServer.Reply(start: "HTTP/1.1 200 OK\r\n\r\n", end: .endless)
        } test: { server in
            await #expect(throws: DirectFetchError.tooLarge(limit: 1000)) { try await get("http://go.test/", at: server) }
        }
    }

    @Test func aServerThatSaysNothingIsNotWaitedFor() async throws {
        try await TestServer.run { _ in
            TestServer.Reply(start: "", end: .silence)
        } test: { server in
            await #expect(throws: DirectFetchError.timedOut) {
                try await get("http://go.test/", at: server, timeout: .milliseconds(50))
            }
        }
    }

    @Test func whatIsNotHTTPIsNoAnswer() async throws {
        try await TestServer.run { _ in
            TestServer.Reply(start: "SSH-2.0-OpenSSH_9.2\r\n")
        } test: { server in
            await #expect(throws: DirectFetchError.noAnswer) { try await get("http://go.test/", at: server) }
        }
    }

    @Test func aCertificateWithoutATrustedIssuerIsDistinguishedFromNoTLS() async throws {
        try await TestServer.run(tls: SelfSignedCertificate.serverContext()) { _ in
            .ok("")
        } test: { server in
            await #expect(throws: DirectFetchError.untrustedCertificate) { try await get("https://logo.test/", at: server) }
        }
        try await TestServer.run { _ in
            .ok("")
        } test: { server in
            await #expect(throws: (any Error).self) { try await get("https://logo.test/", at: server) }
            #expect(server.handshakes.first?.contains("logo.test") == true)
        }
    }

    private func get(_ url: String, at server: TestServer, timeout: Duration = .seconds(30)) async throws -> DirectAnswer {
        let client = try DirectClient(connectingTo: DirectClient.Place(host: "127.0.0.1", port: server.port))
        return try await client.get(url, limit: 1000, timeout: timeout)
    }
}

/// What is posted arrives as it is, and what comes back is read.
@Suite(.timeLimit(.minutes(1))) struct DirectPostTests {
    @Test func aTextIsPostedAsItsTypeAndTheAnswerRead() async throws {
        try await TestServer.run { _ in
            .ok("received")
        } test: { server in
            // The scripted server answers at an empty line.
            let answer = try await DirectClient.post(
                Array("token\r\n\r\n".utf8), as: "text/plain", to: "http://127.0.0.1:\(server.port)/api", limit: 100,
                timeout: .seconds(10))
            #expect((answer.status, answer.bytes) == (200, Array("received".utf8)))
            let request = try #require(server.requests.first)
            #expect(request.first?.hasPrefix("POST /api ") == true)
            #expect(request.contains("content-type: text/plain"))
        }
    }

    @Test func anAnswerThatIsTooLargeIsNotRead() async throws {
        try await TestServer.run { _ in
            TestServer.Reply(start: "HTTP/1.1 200 OK\r\n\r\n", end: .endless)
        } test: { server in
            await #expect(throws: DirectFetchError.tooLarge(limit: 10)) {
                try await DirectClient.post(
                    [], as: "text/plain", to: "http://127.0.0.1:\(server.port)/", limit: 10, timeout: .seconds(10))
            }
        }
    }
}
