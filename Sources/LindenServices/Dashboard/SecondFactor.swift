import Linden
import LindenKernel
import Synchronization

/// A user's second factor as it is stored.
package struct SecondFactor: Sendable {
    package let totp: TOTP
    /// The step of the last code that was accepted.
    package let lastStep: Int64

    package init(secret: [UInt8], lastStep: Int64) {
        totp = TOTP(secret: secret)
        self.lastStep = lastStep
    }

    /// The number of recovery codes that a user is given.
    static let recoveryCodes = 10

    /// Returns a recovery code such as `k3v9x-m27qa`, of 50 random bits.
    static func recoveryCode(_ random: RandomSource) -> String {
        let text = random.alphanumerics(10).lowercased()
        return text.prefix(5) + "-" + text.suffix(5)
    }
}

/// The password was right, and a code of the second factor is needed.
package struct SecondFactorNeeded: Error {
    /// Shows that the password was right. Valid for ``SignInTickets/lifetime``.
    package let ticket: String
}

/// The sign-ins that wait for a code of the second factor. In memory, and bounded: older ones are evicted first.
final class SignInTickets: Sendable {
    struct Ticket: Sendable {
        let user: DashboardUser
        /// The hash that the password matched: a sign-in ends if it has changed by then.
        let passwordHash: String
        let expiresAt: Timestamp
    }

    static let lifetime: Duration = .seconds(300)

    private let tickets: Mutex<TwoGenerationCache<[UInt8], Ticket>>

    init(capacity: Int = 10_000) {
        tickets = Mutex(TwoGenerationCache(capacity: capacity))
    }

    func insert(_ ticket: Ticket, secret: String) {
        tickets.withLock { $0.insert(ticket, for: Secret.hash(secret)) }
    }

    func ticket(_ secret: String, at now: Timestamp) -> Ticket? {
        let found = tickets.withLock { $0.value(for: Secret.hash(secret)) }
        return found.flatMap { now < $0.expiresAt ? $0 : nil }
    }
}
