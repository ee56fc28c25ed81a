import Foundation
import NIOCore
import NIOSSL
import Synchronization

/// The certificate with which a server speaks TLS, from two PEM files of the operator. When the files change, new connections get the new
/// certificate; open ones keep theirs.
///
/// Only HTTP/1.1 is offered: what parses and limits requests works on one request after the other.
package final class TLSCertificate: Sendable {
    private struct State {
        var context: NIOSSLContext
        var expiresAt: Date
        var version: [FileVersion?]
    }

    private let chain: String
    private let key: String
    private let state: Mutex<State>

    /// Reads the files. Throws ``Problem``.
    ///
    /// - Parameters:
    ///   - chain: the path of the certificate, followed by those of its issuers.
    ///   - key: the path of the certificate's private key, without a passphrase. It may be the same file.
    package init(chain: String, key: String) throws {
        self.chain = chain
        self.key = key
        let version = [FileVersion(chain), FileVersion(key)]
        let (context, expiresAt) = try Self.read(chain, key)
        state = Mutex(State(context: context, expiresAt: expiresAt, version: version))
    }

    /// When the certificate expires.
    package var expiresAt: Date { state.withLock { $0.expiresAt } }

    /// The handler of a new connection.
    func handler() -> NIOSSLServerHandler {
        NIOSSLServerHandler(context: state.withLock { $0.context })
    }

    /// Reads the files again if one of them changed since the last call; returns whether it did. Throws ``Problem`` if they cannot be used,
    /// once per change, and keeps the certificate.
    package func refresh() throws -> Bool {
        let version = [FileVersion(chain), FileVersion(key)]
        let hasChanged = state.withLock { state in
            defer { state.version = version }
            return state.version != version
        }
        guard hasChanged else { return false }
        let (context, expiresAt) = try Self.read(chain, key)
        state.withLock { state in
            state.context = context
            state.expiresAt = expiresAt
        }
        return true
    }

    /// What is wrong with the files.
    package enum Problem: Error {
        /// The first file has no certificate.
        case certificate
        /// The second file has no private key that can be read.
        case key
        /// The key is another certificate's.
        case otherKey
    }

    private static func read(_ chain: String, _ key: String) throws -> (NIOSSLContext, Date) {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(chain), let own = certificates.first else {
            throw Problem.certificate
        }
        guard let privateKey = try? NIOSSLPrivateKey(file: key, format: .pem) else { throw Problem.key }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // A client that sends nothing back must not keep a connection that is closed.
        configuration.shutdownTimeout = .milliseconds(100)
        guard let context = try? NIOSSLContext(configuration: configuration) else { throw Problem.otherKey }
        return (context, Date(timeIntervalSince1970: TimeInterval(own.notValidAfter)))
    }
}

/// The identity of a file's contents: inode number, size and modification time.
private struct FileVersion: Equatable {
    private let number: Int?
    private let size: Int?
    private let changedAt: Date?

    /// Nil if there is no file. A symbolic link stands for the file it leads to, as ACME clients make them.
    init?(_ path: String) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: target) else { return nil }
        number = attributes[.systemFileNumber] as? Int
        size = attributes[.size] as? Int
        changedAt = attributes[.modificationDate] as? Date
    }
}
