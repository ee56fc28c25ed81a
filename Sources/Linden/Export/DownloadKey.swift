import Crypto
import Foundation

/// Signs the addresses of exports, so that whoever has one can read that file until it expires, and nobody can make one up.
struct DownloadKey: Sendable {
    private let key: SymmetricKey

    init(_ installation: InstallationKey) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(installation.text.utf8)), info: Data("export downloads".utf8),
            outputByteCount: 32)
    }

    /// 64 hexadecimal digits.
    func signature(of text: String) -> String {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            .joined()
    }

    /// Takes as long for a signature that is nearly right as for any other.
    func isValid(_ signature: String, of text: String) -> Bool {
        let code = stride(from: 0, to: signature.utf8.count, by: 2).compactMap { index in
            UInt8(signature.dropFirst(index).prefix(2), radix: 16)
        }
        return signature.utf8.count == 64
            && HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Data(text.utf8), using: key)
    }
}
