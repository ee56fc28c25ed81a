import LindenKernel
import LindenServices
import Synchronization

/// A bounded renderer of pages on background threads, so that redirects and SDK calls are not delayed. Limited in total, by address and by
/// site; pages beyond a limit are refused rather than queued. Queued pages are rendered one of each site in turn.
final class PageRenderer: Sendable {
    /// Pages queued or being rendered at a time. Each takes some milliseconds.
    static let capacity = 256
    /// The places of one site, and of one address of it: few, so that three or four sites together do not take all.
    static let share = capacity / 8

    private let pages = SharedBudget(capacity, shares: NetworkShares(address: share, site: share))
    private let queue = Mutex(FairQueue<Page>())

    /// Renders one page and delivers it.
    private typealias Page = @Sendable () -> Void

    /// Renders on a background thread and calls `deliver` there once. Returns false if there is no room; `deliver` is then never called.
    ///
    /// - Parameter client: the visitor's network, see ``RateLimiter/network(of:)``.
    func render<Value>(
        for client: ClientNetwork?, _ body: @escaping @Sendable () -> Value, then deliver: @escaping @Sendable (Value) -> Void
    ) -> Bool {
        guard pages.take(1, of: client) else { return false }
        let page: Page = { [pages] in
            let value = body()
            pages.giveBack(1, of: client)
            deliver(value)
        }
        queue.withLock { $0.append(page, of: client?.site) }
        // One job for each queued page; which page it renders is decided when a thread is free.
        BackgroundThreads.pages.submit { [self] in
            let next = queue.withLock { $0.next() }
            next?()
        }
        return true
    }

    /// Renders on a background thread. Fails with `unavailable` if there is no room.
    func render<Value: Sendable>(
        for client: ClientNetwork?, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isAccepted = render(for: client, { Result(catching: body) }, then: { continuation.resume(with: $0) })
            if !isAccepted { continuation.resume(throwing: Failure.tooManyPages) }
        }
    }
}

extension Failure {
    static var tooManyPages: Failure { .unavailable("Too many pages are being made just now; please try again.") }
}
