import OutgoingHTTP
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedirectTests {
    @Test(arguments: [301, 302, 303, 307, 308])
    func aRedirectIsFollowed(status: Int) async throws {
        try await TestServer.run { path in
            path == "/new" ? .ok("logo") : .redirect("/new", status: status)
        } test: { server in
            let body = try await GuardedClient.reaching(server).get("http://127.0.0.1:\(server.port)/old")
            #expect(body.bytes == Array("logo".utf8))
        }
    }

    @Test(arguments: [
        ("c", "/a/c"), ("../c", "/c"), ("?q=1", "/a/b?q=1"), ("//logo.test:PORT/x", "/x"), ("http://logo.test:PORT", "/"),
        ("HTTP://LOGO.TEST.:PORT/x#y", "/x"),
    ])
    func aRedirectIsReadAsBrowsersDo(location: String, path: String) async throws {
        let names = ScriptedNames([["127.0.0.1"], ["127.0.0.1"]])
        try await TestServer.run { path in
            path == "/a/b" ? .redirect(location) : .ok("logo")
        } test: { server in
            _ = try await GuardedClient.reaching(server, resolver: names.resolve).get("http://logo.test:\(server.port)/a/b")
            #expect(server.requests.map(\.first) == ["GET /a/b HTTP/1.1", "GET \(path) HTTP/1.1"])
            #expect(names.asked == ["logo.test", "logo.test"])
        }
    }

    @Test func threeRedirectsAreFollowedAndNoFourth() async throws {
        try await TestServer.run { path in
            path == "/0" ? .ok("logo") : .redirect("/\(Int(path.dropFirst())! - 1)")
        } test: { server in
            let client = GuardedClient.reaching(server)
            let body = try await client.get("http://127.0.0.1:\(server.port)/3")
            #expect(body.bytes == Array("logo".utf8))
            await #expect(throws: FetchError.tooManyRedirects) { try await client.get("http://127.0.0.1:\(server.port)/4") }
            #expect(server.requests.count == 8)
        }
    }

    @Test(arguments: [
        ("http://10.0.0.1:PORT/", FetchError.unreachable), ("http://127.0.0.2:PORT/", .unreachable),
        ("http://[::1]:PORT/", .unreachable), ("http://inside.test:PORT/", .unreachable), ("http://127.0.0.1/", .unsupportedURL),
        ("http://127.0.0.1:22/", .unsupportedURL), ("http://2130706433:PORT/", .unsupportedURL),
        ("file:///etc/passwd", .unsupportedURL),
        ("ftp://127.0.0.1:PORT/", .unsupportedURL), ("http://user@127.0.0.1:PORT/", .unsupportedURL), ("http://", .unsupportedURL),
    ])
    func aRedirectIsCheckedLikeTheURL(location: String, error: FetchError) async throws {
        let names = ScriptedNames([["192.168.0.1"]])
        try await TestServer.run { _ in
            .redirect(location)
        } test: { server in
            await #expect(throws: error) {
                try await GuardedClient.reaching(server, resolver: names.resolve).get("http://127.0.0.1:\(server.port)/")
            }
            #expect(server.requests.count == 1)
        }
    }

    @Test func httpsIsNotLeftForHTTP() throws {
        let url = try OutgoingURL("https://logo.test/a")
        #expect(try url.following("/b").description == "https://logo.test/b")
        #expect(try url.following("//other.test/b").description == "https://other.test/b")
        #expect(throws: FetchError.redirectedToPlainHTTP) { try url.following("http://logo.test/a") }
        #expect(try OutgoingURL("http://logo.test/a").following("https://logo.test/a").isSecure)
    }

    @Test func redirectsShareOneTimeout() async throws {
        try await TestServer.run { path in
            path == "/slow" ? .init(start: "", end: .silence) : .redirect("/slow")
        } test: { server in
            await #expect(throws: FetchError.timedOut) {
                try await GuardedClient.reaching(server)
                    .get("http://127.0.0.1:\(server.port)/", limit: 10, timeout: .seconds(5))
            }
            #expect(server.requests.count == 2)
        }
    }
}
