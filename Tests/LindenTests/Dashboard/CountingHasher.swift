import LindenKernel
import LindenServices
import Synchronization

/// A fast password hasher that counts its work, with a step that a test can insert.
final class CountingHasher: PasswordHasher {
    private let checks = Mutex<[(hadHash: Bool, client: ClientNetwork?)]>([])
    private let whileChecking: @Sendable () async throws -> Void

    init(whileChecking: @escaping @Sendable () async throws -> Void = {}) {
        self.whileChecking = whileChecking
    }

    /// For each verification so far, whether it had a user's hash.
    var verifications: [Bool] { checks.withLock { $0.map { $0.hadHash } } }

    /// The networks for which it verified.
    var clients: [ClientNetwork?] { checks.withLock { $0.map { $0.client } } }

    func hash(_ password: String, for client: ClientNetwork?) async throws -> String { "hash of " + password }

    func verify(_ password: String, against hash: String?, for client: ClientNetwork?) async throws -> Bool {
        checks.withLock { $0.append((hash != nil, client)) }
        try await whileChecking()
        return hash == "hash of " + password
    }
}
