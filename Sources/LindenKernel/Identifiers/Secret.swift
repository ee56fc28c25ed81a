import Crypto

/// Branch secrets and access tokens: 32 random letters and digits, shown once, stored as a SHA-256 hash.
///
/// A fast hash is sufficient: 190 bits of randomness cannot be found by brute force.
package enum Secret {
    package static func hash(_ secret: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(secret.utf8)))
    }

    package static func matches(_ secret: String, hash expected: [UInt8]) -> Bool {
        isEqual(hash(secret), expected)
    }

    /// Compares two hashes in constant time, wherever they differ.
    package static func isEqual(_ actual: [UInt8], _ expected: [UInt8]) -> Bool {
        guard actual.count == expected.count else { return false }
        return zip(actual, expected).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
