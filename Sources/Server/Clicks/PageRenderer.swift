import Linden
import Synchronization

/// Renders pages on background threads, so that redirects and SDK calls wait for none of them. Bounded: what does not fit is refused at once
/// rather than kept waiting.
final class PageRenderer: Sendable {
    static let shared = PageRenderer()

    /// Pages that may wait or be rendered at a time; some milliseconds each.
    private static let capacity = 256

    private let pages = Atomic<Int>(0)

    /// Calls `deliver` on one of the threads, once. False if there is no room; then it is never called.
    func render<Value>(_ body: @escaping @Sendable () -> Value, then deliver: @escaping @Sendable (Value) -> Void) -> Bool {
        guard pages.add(1, ordering: .relaxed).newValue <= Self.capacity else {
            pages.subtract(1, ordering: .relaxed)
            return false
        }
        BackgroundThreads.shared.submit { [self] in
            let value = body()
            pages.subtract(1, ordering: .relaxed)
            deliver(value)
        }
        return true
    }

    /// Fails with `unavailable` if there is no room.
    func render<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = render({ Result(catching: body) }, then: { continuation.resume(with: $0) })
            if !isTaken { continuation.resume(throwing: Failure.tooManyPages) }
        }
    }
}

extension Failure {
    static var tooManyPages: Failure { .unavailable("Too many pages are being made just now; please try again.") }
}
