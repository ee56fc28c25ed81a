import LindenKernel
import OutgoingHTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct PinningTests {
    /// Only the scripted resolver knows these names: a connection that resolved them again would fail.
    @Test(arguments: [
        ("logo.test", "logo.test"), ("LOGO.Test", "logo.test"), ("logo.test.", "logo.test"), ("lo%67o.test", "logo.test"),
        ("bücher.test", "xn--bcher-kva.test"), ("xn--bcher-kva.test", "xn--bcher-kva.test"), ("a_b-c.test", "a_b-c.test"),
        ("1.2.test", "1.2.test"), ("0x7f.0x1g", "0x7f.0x1g"), ("1e100", "1e100"), ("ｌｏｇｏ。test", "logo.test"),
    ])
    func theConnectionGoesToTheCheckedAddress(host: String, name: String) async throws {
        let names = ScriptedNames([["127.0.0.1"]])
        try await TestServer.run { _ in
            .ok("logo")
        } test: { server in
            _ = try await GuardedClient.reaching(server, resolver: names.resolve).get("http://\(host):\(server.port)/")
            #expect(names.asked == [name])
            #expect(server.requests.first?.contains("host: \(name):\(server.port)") == true)
        }
    }

    @Test func aNameThatTurnsPrivateIsNotAskedAgain() async throws {
        // The first answer is allowed, the second would not be.
        let names = ScriptedNames([["127.0.0.1"], ["127.0.0.2"]])
        try await TestServer.run { _ in
            .ok("logo")
        } test: { server in
            let client = GuardedClient.reaching(server, resolver: names.resolve)
            _ = try await client.get("http://logo.test:\(server.port)/")
            #expect(names.asked.count == 1)
            await #expect(throws: FetchError.unreachable) { try await client.get("http://logo.test:\(server.port)/") }
            #expect(server.requests.count == 1)
        }
    }

    @Test func anAddressIsRequestedInTheSpellingThatWasChecked() async throws {
        try await TestServer.run { _ in
            .ok("logo")
        } test: { server in
            _ = try await GuardedClient.reaching(server).get("http://[::FFFF:7f00:1]:\(server.port)/")
            #expect(server.requests.first?.contains("host: 127.0.0.1:\(server.port)") == true)
        }
    }

    @Test func theTLSNameIsTheNameOfTheURL() async throws {
        try await TestServer.run { _ in
            .ok("")
        } test: { server in
            let client = GuardedClient.reaching(server, resolver: { _, _ in [IPAddress("127.0.0.1")!] })
            await #expect(throws: FetchError.unreachable) { try await client.get("https://logo.test:\(server.port)/") }
            #expect(server.handshakes.count == 1)
            #expect(server.handshakes.first?.contains("logo.test") == true)
        }
    }

    @Test func aCertificateWithoutATrustedIssuerIsRefused() async throws {
        try await TestServer.run(tls: SelfSignedCertificate.serverContext()) { _ in
            .ok("logo")
        } test: { server in
            let client = GuardedClient.reaching(server, resolver: { _, _ in [IPAddress("127.0.0.1")!] })
            await #expect(throws: FetchError.unreachable) { try await client.get("https://logo.test:\(server.port)/") }
            while server.tlsErrors.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            #expect(server.requests.isEmpty)
        }
    }
}
