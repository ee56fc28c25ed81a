import Linden

/// Renders pages on background threads, so that redirects and SDK calls wait for none of them. Bounded, in all and for one address: what
/// does not fit is refused at once rather than kept waiting.
final class PageRenderer: Sendable {
    static let shared = PageRenderer()

    /// Pages that may wait or be rendered at a time; some milliseconds each.
    static let capacity = 256

    private let pages = SharedBudget(PageRenderer.capacity)

    /// Calls `deliver` on one of the threads, once. False if there is no room; then it is never called.
    ///
    /// - Parameter network: of the visitor, see ``RateLimiter/network(of:)``.
    func render<Value>(
        for network: UInt64?, _ body: @escaping @Sendable () -> Value, then deliver: @escaping @Sendable (Value) -> Void
    ) -> Bool {
        guard pages.take(1, of: network) else { return false }
        BackgroundThreads.shared.submit { [self] in
            let value = body()
            pages.giveBack(1, of: network)
            deliver(value)
        }
        return true
    }

    /// Fails with `unavailable` if there is no room.
    func render<Value: Sendable>(for network: UInt64?, _ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isTaken = render(for: network, { Result(catching: body) }, then: { continuation.resume(with: $0) })
            if !isTaken { continuation.resume(throwing: Failure.tooManyPages) }
        }
    }
}

extension Failure {
    static var tooManyPages: Failure { .unavailable("Too many pages are being made just now; please try again.") }
}
