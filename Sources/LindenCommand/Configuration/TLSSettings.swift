import Connections
import LindenKernel

/// The files with which the server speaks TLS itself, without a proxy.
struct TLSSettings: Sendable {
    /// The path of the certificate and its issuers, in PEM format.
    let certificate: String
    /// The path of its private key.
    let privateKey: String

    /// Reads the files. Fails with one line that names the setting.
    func load() throws -> TLSCertificate {
        do {
            return try TLSCertificate(chain: certificate, key: privateKey)
        } catch {
            throw explained(error)
        }
    }

    /// Translates an error of the files to one about the setting.
    func explained(_ error: any Error) -> any Error {
        switch error as? TLSCertificate.Problem {
        case .certificate:
            Failure.setting(
                "tls.certificate", certificate, "must be a file that can be read and begins with a certificate in PEM format")
        case .key:
            Failure.setting(
                "tls.private_key", privateKey, "must be a file that can be read with a private key in PEM format and no passphrase")
        case .otherKey: Failure.setting("tls.private_key", privateKey, "must be the key of the certificate in tls.certificate")
        case nil: error
        }
    }
}
