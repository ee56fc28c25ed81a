import Foundation
import JWTKit
import LindenKernel
import Testing

@testable import OpenID

/// ID tokens are accepted only if they are signed by the provider, for this client and this sign-in, and in time.
@Suite struct IDTokenTests {
    private static let issuer = "https://login.example.com"
    private static let now = Timestamp(milliseconds: 1_800_000_000_000)

    private static func token(_ changes: [String: Any] = [:]) throws -> IDToken {
        let all: [String: Any] = [
            "iss": issuer, "sub": "42", "aud": "linden", "exp": 1_800_000_300, "iat": 1_799_999_990, "nonce": "n",
            "email": "ann@orchard.example", "email_verified": "true",
        ]
        let claims = all.merging(changes) { $1 }.filter { !($0.value is NSNull) }
        return try JSONDecoder().decode(IDToken.self, from: try JSONSerialization.data(withJSONObject: claims))
    }

    /// The reason why a token is refused; nil if it is accepted.
    private static func problem(_ changes: [String: Any]) throws -> String? {
        let token = try token(changes)
        do {
            _ = try token.check(issuer: issuer, client: "linden", nonce: "n", at: now)
            return nil
        } catch {
            return error.message
        }
    }

    @Test func aTokenForThisSignInIsAccepted() throws {
        let token = try Self.token()
        #expect(try token.check(issuer: Self.issuer, client: "linden", nonce: "n", at: Self.now) == "42")
        #expect(token.isEmailVerified && token.email == "ann@orchard.example")
        #expect(try Self.problem(["aud": ["other", "linden"], "azp": "linden"]) == nil)
        #expect(try Self.problem(["exp": 1_799_999_970]) == nil, "Clocks differ by up to a minute.")
    }

    @Test func anyOtherIsRefusedWithItsReason() throws {
        let cases: [([String: Any], String)] = [
            (["iss": "https://login.example.com/"], "another issuer"), (["iss": NSNull()], "another issuer"),
            (["aud": "other"], "another client"), (["aud": [String]()], "another client"), (["aud": NSNull()], "another client"),
            (["aud": ["linden", "other"]], "another client"), (["azp": "other"], "another client"),
            (["exp": 1_799_999_930], "has expired"), (["exp": "never"], "has expired"), (["iat": 1_800_000_100], "a later time"),
            (["nonce": "m"], "not for this sign-in"), (["nonce": NSNull()], "not for this sign-in"),
            (["sub": ""], "no valid subject"), (["sub": 42], "no valid subject"),
        ]
        for (changes, reason) in cases { #expect(try #require(try Self.problem(changes)).contains(reason), "\(changes)") }
    }

    @Test func anAddressCountsAsVerifiedOnlyIfTheProviderSaysSo() throws {
        for value in [false, "false", "yes", 1, NSNull(), ["true"]] as [Any] {
            #expect(try !Self.token(["email_verified": value]).isEmailVerified, "\(value)")
        }
        #expect(try Self.token(["email_verified": true]).isEmailVerified)
    }

    @Test func onlyASignatureByAKeyOfTheProviderIsValid() async throws {
        let (own, other) = (ES256PrivateKey(), ES256PrivateKey())
        let members = try Self.keySet([("a", own)])
        let keys = await ProviderKeys(members)
        for (key, isValid) in [(own, true), (other, false)] {
            let signer = await JWTKeyCollection().add(ecdsa: key, kid: "a")
            let text = try await signer.sign(try Self.token(), kid: "a")
            let verified = try? await keys.verified(text)
            #expect((verified?.subject == "42") == isValid)
        }
    }

    @Test func aTokenSignedWithASecretOrNotAtAllIsNot() async throws {
        var members = try Self.keySet([("a", ES256PrivateKey())])
        let secret: JSONObject = ["kty": "oct", "kid": "b", "alg": "HS256", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"]
        members["keys"] = .array((members["keys"]?.array ?? []) + [.object(secret)])
        let keys = await ProviderKeys(members)
        let hashed = await JWTKeyCollection().add(hmac: "secret-secret-secret-secret-secret", digestAlgorithm: .sha256, kid: "b")
        let plain = await JWTKeyCollection().addUnsecuredNone(kid: "b")
        for signer in [hashed, plain] {
            let text = try await signer.sign(try Self.token(), kid: "b")
            await #expect(throws: (any Error).self) { try await keys.verified(text) }
        }
    }

    private static func keySet(_ keys: [(name: String, key: ES256PrivateKey)]) throws -> JSONObject {
        let all = keys.map { name, key -> JSON in
            let parameters = key.parameters
            return .object([
                "kty": "EC", "crv": "P-256", "alg": "ES256", "kid": .string(name), "use": "sig",
                "x": .string(parameters?.x.urlSafe ?? ""), "y": .string(parameters?.y.urlSafe ?? ""),
            ])
        }
        return ["keys": .array(all)]
    }
}

extension String {
    fileprivate var urlSafe: String {
        replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
