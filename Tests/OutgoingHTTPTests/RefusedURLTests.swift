import OutgoingHTTP
import Testing

/// What strangers try, and what the client for the public internet says. None of this leaves the machine.
@Suite(.timeLimit(.minutes(1))) struct RefusedURLTests {
    @Test(arguments: [
        "", "logo.png", "/logo.png", "//logo.test/a", "file:///etc/passwd", "ftp://logo.test/", "gopher://logo.test/", "data:,x",
        "javascript:alert(1)", "unix:///run/x.sock", "http+unix://%2Frun%2Fx.sock/", "http:", "http://", "http:///a",
        "http:logo.test",
        "http://user@logo.test/", "http://user:pw@logo.test/", "http://@logo.test/", "http://:@logo.test/",
        "http://logo.test\\@127.0.0.1/", "http://logo.test:22/", "http://logo.test:8080/", "http://logo.test:0/",
        "http://logo.test:65616/", "http://logo.test:-80/", "http://logo.test:80a/",
        "http://logo test/", "http://logo.test%00.example/", "http://127.0.0.1%00.example/", "http://.logo.test/",
        "http://logo..test/", "http://logo.test../", "http://./", "http://127.1/", "http://127.0.1/", "http://0x7f.1/",
        "http://0x7f.0.0.1/", "http://0X7F000001/", "http://127.0.0.0x1/", "http://0177.0.0.1/", "http://017700000001/",
        "http://2130706433/", "http://2130706433./", "http://0/", "http://0x/", "http://1.2.3.4.5/", "http://256.0.0.1/",
        "http://127.0.0.01/", "http://%31%32%37.1/", "http://①②⑦.1/", "http://[::1/", "http://::1/", "http://[::1%25lo]/",
        "http://[fe80::1%25eth0]/", "http://[::1]:22/", "http://lo,go.test/", "http://*/",
    ])
    func aURLOfAnotherKindIsRefusedUnasked(url: String) async {
        let names = ScriptedNames([])
        await #expect(throws: FetchError.unsupportedURL) {
            try await GuardedClient(resolver: names.resolve).get(url)
        }
        #expect(names.asked == [])
    }

    @Test(arguments: [
        "http://0.0.0.0/", "http://10.0.0.1/", "https://192.168.0.1/", "http://127.0.0.1:443/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::127.0.0.1]/", "http://[64:ff9b::127.0.0.1]/",
        "http://[2002:7f00:1::]/", "http://[fe80::1]/", "http://[fd00::1]:80/",
    ])
    func aPrivateAddressIsRefusedUnasked(url: String) async {
        let names = ScriptedNames([])
        await #expect(throws: FetchError.unreachable) {
            try await GuardedClient(resolver: names.resolve).get(url)
        }
        #expect(names.asked == [])
    }

    /// There is a server, which would answer.
    @Test(arguments: [
        "127.0.0.1", "127.0.0.1.", "%31%32%37.0.0.1", "①②⑦.0.0.1", "127。0。0。1", "[127.0.0.1]", "[::ffff:127.0.0.1]",
        "[::FFFF:7F00:1]",
        "localhost", "LOCALHOST.", "lo%63alhost", "ｌｏｃａｌｈｏｓｔ",
    ])
    func thisMachineIsRefusedInEverySpelling(host: String) async throws {
        try await TestServer.run { _ in
            .ok("secret")
        } test: { server in
            let client = GuardedClient(policy: AddressPolicy(ports: [server.port]))
            await #expect(throws: FetchError.unreachable) { try await client.get("http://\(host):\(server.port)/") }
            #expect(server.requests.isEmpty)
        }
    }

    /// There is a server at 127.0.0.1, the one address that is allowed.
    @Test(arguments: [
        ["127.0.0.1", "127.0.0.2"], ["127.0.0.1", "fe80::1"], ["127.0.0.1", "::1"], ["127.0.0.2", "127.0.0.1"], [],
    ])
    func aNameWithAnyForbiddenAddressIsRefused(addresses: [String]) async throws {
        let names = ScriptedNames([addresses])
        try await TestServer.run { _ in
            .ok("secret")
        } test: { server in
            let client = GuardedClient.reaching(server, resolver: names.resolve)
            await #expect(throws: FetchError.unreachable) { try await client.get("http://logo.test:\(server.port)/") }
            #expect(names.asked == ["logo.test"])
            #expect(server.requests.isEmpty)
        }
    }

    @Test func aPrivateAddressAndAnUnknownNameReadTheSame() async throws {
        let client = GuardedClient(resolver: { _, _ in throw Unresolved() })
        let privately = await #expect(throws: FetchError.self) { try await client.get("http://10.0.0.1/") }
        let unknown = await #expect(throws: FetchError.self) { try await client.get("http://nowhere.test/") }
        #expect(privately?.message == unknown?.message)
        #expect(privately?.message.contains("public http or https address") == true)
    }
}
