import Linden

/// A bounded renderer of pages on background threads, so that redirects and SDK calls are not delayed. Limited in total and by address;
/// pages beyond a limit are refused rather than queued.
final class PageRenderer: Sendable {
    static let shared = PageRenderer()

    /// Pages queued or being rendered at a time. Each takes some milliseconds.
    static let capacity = 256

    private let pages = SharedBudget(PageRenderer.capacity)

    /// Renders on a background thread and calls `deliver` there once. Returns false if there is no room; `deliver` is then never called.
    ///
    /// - Parameter network: the visitor's network, see ``RateLimiter/network(of:)``.
    func render<Value>(
        for network: UInt64?, _ body: @escaping @Sendable () -> Value, then deliver: @escaping @Sendable (Value) -> Void
    ) -> Bool {
        guard pages.take(1, of: network) else { return false }
        BackgroundThreads.pages.submit { [self] in
            let value = body()
            pages.giveBack(1, of: network)
            deliver(value)
        }
        return true
    }

    /// Renders on a background thread. Fails with `unavailable` if there is no room.
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
