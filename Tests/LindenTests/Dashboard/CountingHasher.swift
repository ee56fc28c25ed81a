import LindenServices
import Synchronization

/// A fast password hasher that counts its work, with a step that a test can insert.
final class CountingHasher: PasswordHasher {
    private let checks = Mutex<[Bool]>([])
    private let whileChecking: @Sendable () async throws -> Void

    init(whileChecking: @escaping @Sendable () async throws -> Void = {}) {
        self.whileChecking = whileChecking
    }

    /// For each verification so far, whether it had a user's hash.
    var verifications: [Bool] { checks.withLock { $0 } }

    func hash(_ password: String) async throws -> String { "hash of " + password }

    func verify(_ password: String, against hash: String?) async throws -> Bool {
        checks.withLock { $0.append(hash != nil) }
        try await whileChecking()
        return hash == "hash of " + password
    }
}
