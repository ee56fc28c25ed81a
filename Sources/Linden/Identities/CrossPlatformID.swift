import Crypto

/// A user under the one id that he has on all his devices.
package struct CrossPlatformUser: Sendable, Equatable {
    /// 64 hexadecimal digits. Unlike the identity token it gives no access to anything.
    package let id: String
    package let developerIdentity: String?
}

/// Makes the ids that customers may use to join data of one user: a keyed hash, so that no token can be read off them.
struct CrossPlatformIDs: Sendable {
    private let key: SymmetricKey

    init(key: InstallationKey) {
        self.key = SymmetricKey(data: Array(("cross-platform " + key.text).utf8))
    }

    func user(_ identity: Identity) -> CrossPlatformUser {
        let code = HMAC<SHA256>.authenticationCode(for: Array(String(identity.id.rawValue).utf8), using: key)
        let digits = code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        return CrossPlatformUser(id: digits, developerIdentity: identity.developerIdentity)
    }
}
