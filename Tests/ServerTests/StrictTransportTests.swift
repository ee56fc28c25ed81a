import HTTPTypes
import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Testing

/// `Strict-Transport-Security` is in an answer if the visitor's own connection is encrypted, on both ways of a visit.
@Suite struct StrictTransportTests {
    /// The base URL of the test is one of https, which decides where no trusted proxy forwards a scheme.
    @Test(arguments: [("https", true, true), ("http", true, false), ("http", false, true)])
    func theHeaderFollowsTheSchemeThatATrustedProxyForwards(scheme: String, isTrusted: Bool, isSent: Bool) async throws {
        let value = isSent ? "max-age=60" : nil
        try await Exchange.run(trustedProxies: isTrusted ? ["127.0.0.1"] : [], strictTransport: "max-age=60") { exchange in
            let app = try await exchange.services.directory.app(branchKey: exchange.installation.createApp().live.key.branchKey)
            let path = "/" + (try await exchange.services.links.create(NewLink(data: Self.data), for: app).address.path)

            // The first visit creates the day's address key, the second one caches it.
            _ = try await exchange.get(path, userAgent: UserAgents.desktop)
            let routed = try await exchange.get(
                path, userAgent: UserAgents.desktop, headers: [.init("X-Forwarded-Proto")!: scheme])
            #expect(routed.headers[.strictTransportSecurity] == value)

            let connection = try await VisitConnection(
                exchange, from: isTrusted ? "127.0.0.1" : "203.0.113.7", strictTransport: "max-age=60")
            try await connection.get(path, headers: [("User-Agent", UserAgents.desktop), ("X-Forwarded-Proto", scheme)])
            try #require(try await connection.forwarded() == nil, "the visit is not left to the router")
            #expect(try await connection.answer()["strict-transport-security"] == value)
            try await connection.close()
        }
    }

    private static let data: JSONObject = ["$desktop_url": "https://orchard.example.com/pears"]
}
