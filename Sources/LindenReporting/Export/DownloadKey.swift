import Crypto
import Foundation
import Linden
import LindenKernel
import LinkRouting

/// A key that signs the addresses of downloads (HMAC-SHA256), so that only clients with the address can read the file, until it expires or
/// is revoked.
struct DownloadKey: Sendable {
    private let key: SymmetricKey

    init(_ installation: InstallationKey) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(installation.text.utf8)), info: Data("export downloads".utf8),
            outputByteCount: 32)
    }

    /// Returns a signature of 64 hexadecimal digits.
    ///
    /// - Parameter generation: the app's ``App/urlGeneration``. Signatures of an earlier generation are not valid.
    func signature(of text: String, generation: Int64) -> String {
        Hex.encode(HMAC<SHA256>.authenticationCode(for: Self.signed(text, generation), using: key))
    }

    /// Returns whether a signature is valid; the comparison takes constant time.
    func isValid(_ signature: String, of text: String, generation: Int64) -> Bool {
        guard let code = Hex.decode(signature) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.signed(text, generation), using: key)
    }

    private static func signed(_ text: String, _ generation: Int64) -> Data { Data("\(text) \(generation)".utf8) }
}

extension ReportingStorage {
    /// Returns the current generation of an app's download addresses. Fails with `notFound` if the app does not exist.
    func urlGeneration(of app: App.ID) async throws -> Int64 {
        guard let app = try await read({ try $0.app(app) }) else { throw Failure.noSuchDownload }
        return app.urlGeneration
    }
}
