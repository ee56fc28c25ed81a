import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import NIOCore
import SQLiteStorage
import Testing

@testable import Server

/// The sources trusted for a visitor's address.
@Suite struct ForwardedAddressTests {
    private static let options = ServerOptions(trustedProxies: ["10.0.0.0/8", "fd00::/8"].map { Network($0)! })

    private static let cases: [(peer: String, headers: [(String, String)], client: String)] = [
        ("10.0.0.1", [("X-Forwarded-For", "203.0.113.7")], "203.0.113.7"),
        ("10.0.0.1", [("X-Forwarded-For", "192.0.2.1, 203.0.113.7, 10.0.0.2")], "203.0.113.7"),
        ("10.0.0.1", [("X-Forwarded-For", "unknown")], ""), ("10.0.0.1", [("X-Forwarded-For", "203.0.113.7, unknown")], ""),
        ("10.0.0.1", [("X-Forwarded-For", "unknown, 10.0.0.2")], ""),
        ("10.0.0.1", [("X-Forwarded-For", "unknown, 203.0.113.7")], "203.0.113.7"),
        ("192.0.2.5", [("X-Forwarded-For", "unknown")], "192.0.2.5"),
        ("192.0.2.5", [("X-Forwarded-For", "203.0.113.7")], "192.0.2.5"),
        ("fd00::1", [("X-Forwarded-For", "2001:db8::17")], "2001:db8::17"),
        ("10.0.0.1", [("Forwarded", "for=192.0.2.1"), ("X-Forwarded-For", "203.0.113.7")], "203.0.113.7"),
        ("10.0.0.1", [("Forwarded", "for=203.0.113.7")], "10.0.0.1"), ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", [("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "203.0.113.7,,10.0.0.2,")], "203.0.113.7"),
        ("10.0.0.1", [("X-Forwarded-For", ",")], "10.0.0.1"),
        ("10.0.0.1", [("X-Forwarded-For", String(repeating: "192.0.2.1;", count: 4000) + ",203.0.113.7")], "203.0.113.7"),
        ("10.0.0.1", [("X-Forwarded-For", String(repeating: "192.0.2.1;", count: 4000))], ""),
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
            let path = try await exchange.createLink(key)
            _ = try await exchange.get(path)
            _ = try await exchange.get("/nothing")
            _ = try await exchange.install(key)
            try await exchange.services.proxyFaults.report()
            let proxies = try await exchange.installation.storage.read { try $0.proxyFaults() }
            #expect(proxies.map(\.network) == ["127.0.0.1"])
            #expect(proxies.map(\.requests) == [4])
            let finding = try #require(try await exchange.services.proxyFaults.findings().first)
            #expect(finding.status == .warning)
            #expect(finding.detail.contains("add \"127.0.0.1\" to http.trusted_proxies"))
        }
    }

    @Test func aHopOfATrustedProxyThatIsNoAddressIsTheProxysFault() async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            let path = try await exchange.createLink(key)
            _ = try await exchange.get(path, from: "203.0.113.7, unknown")
            _ = try await exchange.get("/nothing", from: "pear")
            try await exchange.services.proxyFaults.report()
            let faults = try await exchange.installation.storage.read { try $0.proxyFaults() }
            #expect(faults.map(\.kind) == [.malformed])
            #expect(faults.map(\.network) == ["127.0.0.1"])
            #expect(faults.map(\.requests) == [2])
            let finding = try #require(try await exchange.services.proxyFaults.findings().first)
            #expect(finding.status == .warning)
            #expect(
                finding.detail.contains("127.0.0.1 is a trusted proxy") && finding.detail.contains("no IP address in 2 requests"))
        }
    }

    @Test(arguments: [("203.0.113.7", true), ("unknown", false)])
    func installsAreNotMatchedByAnAddressThatNoOneKnows(address: String, isMatched: Bool) async throws {
        try await Exchange.run { exchange in
            let key = try await exchange.installation.createApp().live.key.branchKey
            _ = try await exchange.get(try await exchange.createLink(key), from: address)
            let install = try await exchange.install(key, from: address)
            #expect(try install.data["+clicked_branch_link"] == .bool(isMatched))
        }
    }

    @Test func addressesFromTrustedProxiesAreNotCounted() async throws {
        try await Exchange.run { exchange in
            _ = try await exchange.get("/nothing")
            try await exchange.services.proxyFaults.report()
            #expect(try await exchange.services.proxyFaults.findings().isEmpty)
        }
    }
}
