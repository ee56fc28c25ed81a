import Foundation
import JWTKit
import LindenKernel

/// A provider's public keys, by which ID tokens are verified (RFC 7517).
struct ProviderKeys: Sendable {
    /// The algorithms by which a token may be signed (RFC 7518, section 3.1; RFC 8037). None of them takes a shared secret, or no key at all.
    static let algorithms: Set<String> = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA",
    ]
    /// The maximum number of keys that are read.
    private static let mostKeys = 100
    /// The maximum length of a token in bytes.
    private static let longestToken = 64 << 10

    private let keys = JWTKeyCollection()

    /// Reads the asymmetric keys for signatures of a key set, and skips others.
    init(_ members: JSONObject) async {
        let all = (members["keys"]?.array ?? []).compactMap(\.object).prefix(Self.mostKeys)
        for (number, key) in all.enumerated() where key["kty"]?.string != "oct" && key["use"]?.string ?? "sig" == "sig" {
            // A set with one key need not name it.
            let named = key["kid"]?.string == nil ? key.merging(["kid": .string("key \(number)")]) : key
            guard let decoded = try? JSONDecoder().decode(JWK.self, from: Data(JSON.object(named).bytes)) else { continue }
            _ = try? await keys.add(jwk: decoded)
        }
    }

    /// Returns the claims of a token whose signature is valid. Fails with `unauthorized`.
    func verified(_ token: String) async throws(Failure) -> IDToken {
        guard token.utf8.count <= Self.longestToken, let algorithm = Self.algorithm(of: token) else {
            throw Failure.badToken("cannot be read")
        }
        guard Self.algorithms.contains(algorithm) else {
            throw Failure.badToken("is signed by the algorithm \(algorithm.prefix(20)), which is not allowed")
        }
        do {
            return try await keys.verify(token, as: IDToken.self, iteratingKeys: true)
        } catch {
            throw Failure.badToken("is not signed by a key of the provider")
        }
    }

    /// Returns the name of the algorithm in a token's header; nil if there is none.
    private static func algorithm(of token: String) -> String? {
        let header = String(token.prefix { $0 != "." }).replacing("-", with: "+").replacing("_", with: "/")
        let padded = header + String(repeating: "=", count: (4 - header.utf8.count % 4) % 4)
        return Data(base64Encoded: padded).flatMap { try? JSON.parse($0, within: .untrusted).object }?["alg"]?.string
    }
}
