import Dispatch
import LindenKernel
import LindenServices
import Synchronization

/// A password hasher with argon2id, at most ``lanes`` passwords at a time.
///
/// Each takes 19 MiB of memory and tens of milliseconds of CPU time, and anyone may try to sign in. So further passwords wait in a bounded queue.
package final class Argon2Hasher: PasswordHasher {
    /// The number of passwords that are hashed at the same time.
    static let lanes = 2
    /// The most passwords that wait in each lane: for about a second.
    static let mostWaiting = 16

    private let random: RandomSource
    private let turns: Turns<Int>
    private let count = Atomic(0)
    private let queue = DispatchQueue(label: "linden.passwords", qos: .utility, attributes: .concurrent)

    package init(random: RandomSource = .system) {
        self.random = random
        turns = Turns(
            mostWaiting: Self.mostWaiting, refusal: "Too many passwords are checked at once. Please try again in a moment.")
    }

    package func hash(_ password: String) async throws -> String {
        var generator = random
        let salt = (0..<Argon2.saltBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        return try await run { try Argon2.hash(password, salt: salt) }
    }

    package func verify(_ password: String, against hash: String?) async throws -> Bool {
        try await run {
            let isRight = try Argon2.matches(password, hash: hash ?? Argon2.decoy)
            return isRight && hash != nil
        }
    }

    /// Runs work on a thread that may block, once a lane is free. Fails with `unavailable` if too many wait.
    func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        let lane = count.wrappingAdd(1, ordering: .relaxed).oldValue % Self.lanes
        return try await turns.run(lane) { [queue] in
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result(catching: work)) }
            }
        }
    }
}
