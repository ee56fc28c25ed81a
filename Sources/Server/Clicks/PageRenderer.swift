import LindenKernel
import LindenServices
import Synchronization

/// A bounded renderer of pages on background threads, so that redirects and SDK calls are not delayed. Limited in total, by address and by
/// site: a page beyond a limit is refused rather than queued, and when all places are taken, the last page of the site that has most makes
/// room. Queued pages are rendered one of each site in turn.
final class PageRenderer: Sendable {
    /// Pages queued or being rendered at a time. Each takes some milliseconds.
    static let capacity = 256
    /// The places of one site, and of one address of it: few, so that three or four sites together do not take all.
    static let share = capacity / 8

    private struct Page: Sendable {
        let client: ClientNetwork?
        /// Renders the page and delivers it.
        let render: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct State {
        var places = NetworkBudget(capacity, shares: NetworkShares(address: share, site: share))
        var queue = FairQueue<Page>()

        /// Queues a page. Returns one that is refused: the page itself, or one that makes room for it.
        mutating func add(_ page: Page) -> Page? {
            var refused: Page?
            if !places.take(1, of: page.client) {
                guard places.share(exceededBy: 1, of: page.client) == nil,
                    let other = queue.removeLast(ofOneAbove: queue.count(of: page.client?.site) + 1)
                else { return page }
                places.giveBack(1, of: other.client)
                guard places.take(1, of: page.client) else { return page }
                refused = other
            }
            queue.append(page, of: page.client?.site)
            return refused
        }
    }

    private let state = Mutex(State())

    /// Renders on a background thread and calls `deliver` once: there with the page, or with nil if there is no room.
    ///
    /// - Parameter client: the visitor's network, see ``RateLimiter/network(of:)``.
    func render<Value>(
        for client: ClientNetwork?, _ body: @escaping @Sendable () -> Value, then deliver: @escaping @Sendable (Value?) -> Void
    ) {
        let page = Page(
            client: client,
            render: { [self] in
                let value = body()
                state.withLock { $0.places.giveBack(1, of: client) }
                deliver(value)
            },
            refuse: { deliver(nil) })
        let refused = state.withLock { $0.add(page) }
        // One job for each page; which one it renders is decided when a thread is free.
        BackgroundThreads.pages.submit { [self] in
            let next = state.withLock { $0.queue.next() }
            next?.render()
        }
        refused?.refuse()
    }

    /// Renders on a background thread. Fails with `unavailable` if there is no room.
    func render<Value: Sendable>(
        for client: ClientNetwork?, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let result = await withCheckedContinuation { continuation in
            render(for: client, { Result(catching: body) }, then: { continuation.resume(returning: $0) })
        }
        guard let result else { throw Failure.tooManyPages }
        return try result.get()
    }
}

extension Failure {
    static var tooManyPages: Failure { .unavailable("Too many pages are being made just now; please try again.") }
}
