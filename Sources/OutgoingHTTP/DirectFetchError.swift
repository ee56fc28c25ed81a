import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// The reason why a request to a server that the operator configured failed, with a detailed message for the operator.
package enum DirectFetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The certificate has expired, or does not chain to a trusted authority.
    case untrustedCertificate
    /// The certificate is valid, but for other names.
    case certificateOfOthers
    /// The TLS handshake failed for another reason: the server does not speak TLS, or only versions that are no longer supported.
    case noTLS
    case noConnection(reason: String)
    /// The response is not HTTP, or is incomplete.
    case noAnswer
    case tooLarge(limit: Int)
    case timedOut

    init(_ error: any Error) {
        self =
            switch error {
            case let error as DirectFetchError: error
            case FetchError.tooLarge(let limit): .tooLarge(limit: limit)
            case FetchError.timedOut: .timedOut
            case let error as NIOSSLExtraError where error == .failedToValidateHostname: .certificateOfOthers
            case NIOSSLError.handshakeFailed(let reason):
                "\(reason)".contains("CERTIFICATE_VERIFY_FAILED") ? .untrustedCertificate : .noTLS
            case NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate: .untrustedCertificate
            case let error as IOError: .noConnection(reason: String(cString: strerror(error.errnoCode)))
            case let error as NIOConnectionError: .noConnection(reason: error.reason)
            default: .noAnswer
            }
    }

    package var description: String {
        switch self {
        case .untrustedCertificate:
            "its certificate is not to be trusted: it has expired, signs itself, lacks the certificate between it and its "
                + "authority, or has an authority that this machine does not know"
        case .certificateOfOthers: "its certificate is for other names"
        case .noTLS: "it does not speak TLS"
        case .noConnection(let reason): "there is no connection to it (\(reason))"
        case .noAnswer: "it gives no whole answer in HTTP"
        case .tooLarge(let limit): "it answers with more than \(limit) bytes"
        case .timedOut: "it takes too long to answer"
        }
    }
}

extension NIOConnectionError {
    fileprivate var reason: String {
        let errors = connectionErrors.map(\.error) + [dnsAError, dnsAAAAError].compactMap { $0 }
        let texts = errors.map {
            ($0 as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "the name leads to no address"
        }
        return Set(texts).sorted().joined(separator: ", ")
    }
}
