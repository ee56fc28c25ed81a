import LindenKernel
import Synchronization

/// A limit of the rows about data subjects whose ids the exports hold at a time, which take eight bytes each. An export of more is made
/// while there is no other.
final class PersonalRowLimit: Sendable {
    private let most: Int
    private let held = Mutex(0)

    init(most: Int = 4_000_000) {
        self.most = most
    }

    /// Holds some rows until the value is released. Fails with `unavailable` if others hold too many.
    func hold(_ count: Int) throws(Failure) -> Hold {
        let isAllowed = held.withLock { held in
            guard held == 0 || held + count <= most else { return false }
            held += count
            return true
        }
        guard isAllowed else { throw Failure.unavailable("Too many large exports of personal data are running; please try again.") }
        return Hold { [self] in held.withLock { $0 -= count } }
    }
}
