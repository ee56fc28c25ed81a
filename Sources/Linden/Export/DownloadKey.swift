import Crypto
import Foundation

/// Signs the addresses of files, so that a file is read by those who were given its address, until that expires or is revoked.
struct DownloadKey: Sendable {
    private let key: SymmetricKey

    init(_ installation: InstallationKey) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Data(installation.text.utf8)), info: Data("export downloads".utf8),
            outputByteCount: 32)
    }

    /// 64 hexadecimal digits.
    ///
    /// - Parameter generation: the app's, see ``App/addressGeneration``: a signature of an earlier one is not valid.
    func signature(of text: String, generation: Int64) -> String {
        HMAC<SHA256>.authenticationCode(for: Self.signed(text, generation), using: key).map {
            ($0 < 16 ? "0" : "") + String($0, radix: 16)
        }
        .joined()
    }

    /// Takes as long for a signature that is nearly right as for any other.
    func isValid(_ signature: String, of text: String, generation: Int64) -> Bool {
        let code = stride(from: 0, to: signature.utf8.count, by: 2).compactMap { index in
            UInt8(signature.dropFirst(index).prefix(2), radix: 16)
        }
        return signature.utf8.count == 64
            && HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.signed(text, generation), using: key)
    }

    private static func signed(_ text: String, _ generation: Int64) -> Data { Data("\(text) \(generation)".utf8) }
}

extension Storage {
    /// The generation of the addresses of an app's files. Fails with `notFound` for an app that is gone.
    func addressGeneration(of app: App.ID) async throws -> Int64 {
        guard let app = try await read({ try $0.app(app) }) else { throw Failure.noSuchDownload }
        return app.addressGeneration
    }
}
