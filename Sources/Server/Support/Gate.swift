import Linden
import Synchronization

/// Lets so many through at once and refuses the others, for work that strangers can ask for and that is dear.
final class Gate: Sendable {
    private let limit: Int
    private let inside = Mutex(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Fails with `unavailable` when too many are inside.
    func pass<Value>(_ work: () async throws -> Value) async throws -> Value {
        let isFree = inside.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        guard isFree else { throw Failure.unavailable("Too many of these are being made just now; please try again.") }
        defer { inside.withLock { $0 -= 1 } }
        return try await work()
    }
}
