import Linden
import LindenKernel
import Synchronization

/// The states that were brought back lately, so that each is accepted once. In memory, and bounded: earlier ones are evicted first. The
/// provider's codes, which are valid once and for minutes, do not rely on it.
final class UsedStates: Sendable {
    private let used: Mutex<TwoGenerationCache<[UInt8], Bool>>

    init(capacity: Int = 20_000) {
        used = Mutex(TwoGenerationCache(capacity: capacity))
    }

    /// Marks a state as used. Returns false if it was before.
    func use(_ state: String) -> Bool {
        let hash = Secret.hash(state)
        return used.withLock { used in
            if used.value(for: hash) != nil { return false }
            used.insert(true, for: hash)
            return true
        }
    }
}
