import HTTPTypes
import Hummingbird
import Linden
import LindenTesting
import NIOCore
import SQLiteStorage
import Testing

@testable import Server

/// Whose word on a visitor's address counts.
@Suite struct ForwardedAddressTests {
    private static let options = ServerOptions(trustedProxies: ["10.0.0.0/8", "fd00::/8"].map { Network($0)! })

    private static let cases: [(peer: String, headers: [(String, String)], client: String)] = [
        ("10.0.0.1", [("X-Forwarded-For", "203.0.113.7")], "203.0.113.7"),
        ("10.0.0.1", [("X-Forwarded-For", "192.0.2.1, 203.0.113.7, 10.0.0.2")], "203.0.113.7"),
        ("10.0.0.1", [("X-Forwarded-For", "unknown")], "10.0.0.1"),
        ("192.0.2.5", [("X-Forwarded-For", "203.0.113.7")], "192.0.2.5"),
        ("10.0.0.1", [("Forwarded", "for=203.0.113.7;proto=https;by=10.0.0.1")], "203.0.113.7"),
        ("fd00::1", [("Forwarded", "For=\"[2001:db8::17]:4711\"")], "2001:db8::17"),
        ("10.0.0.1", [("Forwarded", "for=192.0.2.1, for=203.0.113.7; proto=http"), ("Forwarded", "for=10.0.0.2")], "203.0.113.7"),
        ("10.0.0.1", [("Forwarded", "for=_hidden")], "10.0.0.1"), ("10.0.0.1", [("Forwarded", "proto=https")], "10.0.0.1"),
        ("10.0.0.1", [("Forwarded", "for=192.0.2.1"), ("X-Forwarded-For", "203.0.113.7")], "203.0.113.7"),
        ("192.0.2.5", [("Forwarded", "for=203.0.113.7")], "192.0.2.5"), ("10.0.0.1", [], "10.0.0.1"),
    ]

    @Test(arguments: cases)
    func aForwardedAddressIsBelievedFromATrustedProxyAlone(peer: String, headers: [(String, String)], client: String) throws {
        let fields = HTTPFields(headers.map { HTTPField(name: HTTPField.Name($0.0)!, value: $0.1) })
        let head = HTTPRequest(method: .get, scheme: "http", authority: "go.example.com", path: "/", headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        let address = Self.options.clientAddress(of: request, from: ClientAddress(peer))
        #expect(address.description == client)
    }

    @Test func eachRequestWithAnIgnoredAddressIsCountedOnce() async throws {
        try await Exchange.run(trustedProxies: ["10.0.0.0/8"]) { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.mint(key)
            _ = try await exchange.get(path)
            _ = try await exchange.get("/nothing")
            _ = try await exchange.install(key)
            try await exchange.services.untrustedProxies.report()
            let proxies = try await exchange.installation.storage.read { try $0.untrustedProxies() }
            #expect(proxies.map(\.network) == ["127.0.0.1"])
            #expect(proxies.map(\.requests) == [4])
            let finding = try #require(try await exchange.services.untrustedProxies.findings().first)
            #expect(finding.status == .warning)
            #expect(finding.detail.contains("add \"127.0.0.1\" to http.trusted_proxies"))
        }
    }

    @Test func addressesFromTrustedProxiesAreNotCounted() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.get("/nothing")
            try await exchange.services.untrustedProxies.report()
            #expect(try await exchange.services.untrustedProxies.findings().isEmpty)
        }
    }
}
