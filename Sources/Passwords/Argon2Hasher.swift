import LindenKernel
import LindenServices
import NIOPosix

/// A password hasher with argon2id, at most ``lanes`` passwords at a time.
///
/// Each takes 19 MiB of memory and tens of milliseconds of CPU time, and anyone may try to sign in. So further passwords wait in a bounded
/// queue, which serves sites in turn: a flood of sign-ins from some networks does not keep people in others out.
package final class Argon2Hasher: PasswordHasher {
    /// The number of passwords that are hashed at the same time.
    static let lanes = 2
    /// The most passwords that wait of a site, and of all sites: for up to some ten seconds if each of 256 sites has one.
    static let mostWaiting = (ofSite: 8, ofAll: 256)

    private let random: RandomSource
    private let turns: FairTurns
    /// They last as long as the process: the allocator keeps what a thread has freed, so each further thread would take the memory once more.
    private static let threads = {
        let threads = NIOThreadPool(numberOfThreads: lanes)
        threads.start()
        return threads
    }()

    package init(random: RandomSource = .system) {
        self.random = random
        turns = FairTurns(
            atOnce: Self.lanes, mostWaiting: Self.mostWaiting,
            refusal: "Too many passwords are checked at once. Please try again in a moment.")
    }

    package func hash(_ password: String, for client: ClientNetwork?) async throws -> String {
        var generator = random
        let salt = (0..<Argon2.saltBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return try await run(for: client) { try Argon2.hash(password, salt: salt) }
    }

    package func verify(_ password: String, against hash: String?, for client: ClientNetwork?) async throws -> Bool {
        try await run(for: client) {
            let isRight = try Argon2.matches(password, hash: hash ?? Argon2.decoy)
            return isRight && hash != nil
        }
    }

    /// Runs work on a thread that may block, in the turn of the client's site. Fails with `unavailable` if too many wait.
    func run<Value: Sendable>(
        for client: ClientNetwork?, _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await turns.run(for: client?.site) {
            try await withCheckedThrowingContinuation { continuation in
                Self.threads.submit { _ in continuation.resume(with: Result(catching: work)) }
            }
        }
    }
}
