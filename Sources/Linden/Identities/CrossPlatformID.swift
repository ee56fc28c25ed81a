import Crypto
import LindenKernel
import LinkRouting

/// A user, with the one id that is the same on all its devices.
package struct CrossPlatformUser: Sendable, Equatable {
    /// 64 hexadecimal digits. Unlike the identity token, the id grants no access.
    package let id: String
    package let developerIdentity: String?
}

/// Generates the ids by which customers may join the data of one user. An id is a keyed hash, so that the identity token cannot be derived
/// from it.
struct CrossPlatformIDs: Sendable {
    private let key: SymmetricKey

    init(key: InstallationKey) {
        self.key = SymmetricKey(data: Array(("cross-platform " + key.text).utf8))
    }

    func user(_ identity: Identity) -> CrossPlatformUser {
        let code = HMAC<SHA256>.authenticationCode(for: Array(String(identity.id.rawValue).utf8), using: key)
        return CrossPlatformUser(id: Hex.encode(code), developerIdentity: identity.developerIdentity)
    }
}
