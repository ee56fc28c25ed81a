import LindenKernel
import Synchronization

/// Decides which calls store the last use of their token: the first of each minute, so that a busy program does not write for each call.
final class TokenUses: Sendable {
    static let interval: Duration = .seconds(60)
    /// The number of tokens beyond which those without a recent use are forgotten.
    private static let mostTokens = 4096

    /// The last attempt to store a use, by token.
    private let attempts = Mutex<[AccessToken.ID: Timestamp]>([:])

    /// Whether a use is to be stored now; counts as an attempt. A time before the last attempt, after the clock was corrected, is due.
    func isDue(_ token: AccessToken, at now: Timestamp) -> Bool {
        attempts.withLock { attempts in
            if let last = attempts[token.id] ?? token.lastUsedAt, now >= last, now < last + Self.interval { return false }
            if attempts.count >= Self.mostTokens {
                attempts = attempts.filter { $0.value <= now && now < $0.value + Self.interval }
            }
            attempts[token.id] = now
            return true
        }
    }
}
