import LindenKernel
import LindenServices
import Testing

@testable import OpenID

/// What a provider says of itself is checked before it is used.
@Suite struct ProviderMetadataTests {
    private static let good: JSONObject = [
        "issuer": "https://login.example.com", "authorization_endpoint": "https://login.example.com/authorize",
        "token_endpoint": "https://login.example.com/token", "jwks_uri": "https://login.example.com/keys",
    ]

    @Test func theAddressesOfTheIssuerAreRead() throws {
        let metadata = try ProviderMetadata(Self.good, of: "https://login.example.com")
        #expect(metadata.tokenEndpoint == "https://login.example.com/token" && metadata.takesBasicAuthentication)
        #expect(ProviderMetadata.url(of: "https://a.example/x/") == "https://a.example/x/.well-known/openid-configuration")
        let posting = Self.good.merging(["token_endpoint_auth_methods_supported": ["client_secret_post"]])
        #expect(try !ProviderMetadata(posting, of: "https://login.example.com").takesBasicAuthentication)
    }

    @Test(
        arguments: [
            (["issuer": "https://evil.example"], "another issuer"), (["token_endpoint": .null], "no token_endpoint"),
            (["jwks_uri": "http://login.example.com/keys"], "jwks_uri must be a URL that begins with https://"),
            (["authorization_endpoint": "javascript:alert(1)"], "authorization_endpoint must be a URL"),
        ] as [(JSONObject, String)])
    func otherMetadataIsRefused(changes: JSONObject, reason: String) throws {
        let failure = #expect(throws: Failure.self) {
            try ProviderMetadata(Self.good.merging(changes), of: "https://login.example.com")
        }
        #expect(failure?.message.contains(reason) == true, "\(failure?.message ?? "")")
    }

    @Test func anAddressWithoutEncryptionIsForThisMachineOnly() throws {
        #expect(throws: Never.self) { try OpenIDSettings.check("http://localhost:9400") }
        #expect(throws: Never.self) { try OpenIDSettings.check("https://login.example.com/realms/a") }
        for url in ["http://login.example.com", "ftp://localhost", "localhost", ""] {
            #expect(throws: Failure.self, "\(url)") { try OpenIDSettings.check(url) }
        }
    }
}
