import LindenKernel
import Synchronization

/// The turns of requests with large bodies: of each site, one at a time is parsed and handled.
///
/// Parsing, checking and storing a body takes up to a millisecond for each 10 KiB, on the threads that all calls share, so many
/// connections of one client would delay those of others. The addresses of a site take turns. A request that waits holds no thread.
final class BodyTurns: Sendable {
    private struct State {
        var admitted = NetworkUse<UInt64, UInt64>()
        /// The requests that wait, by the sites of those that have their turn.
        var waiting: [UInt64: FairQueue<CheckedContinuation<Void, Never>>] = [:]
    }

    /// The size in bytes above which a body is large. Most calls of SDKs send less.
    static let largeBytes = 8 << 10

    /// The most requests of a client that wait or have their turn. ``BodyBudget`` bounds the memory that their bodies take.
    static let shares = NetworkShares(address: 64)

    private let state = Mutex(State())

    /// Waits for the client's turn, which ends with ``leave(_:)``. Fails with `unavailable` if too many requests of the client wait.
    func enter(_ client: ClientNetwork) async throws(Failure) {
        guard state.withLock({ $0.admitted.take(1, client.address, client.site, within: Self.shares) }) else {
            throw .unavailable("Too many large requests of your network are waiting; please try again.")
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = state.withLock { state -> Bool in
                if state.waiting[client.site] == nil {
                    state.waiting[client.site] = FairQueue()
                    return true
                }
                state.waiting[client.site]?.append(continuation, of: client.address)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func leave(_ client: ClientNetwork) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.admitted.giveBack(1, client.address, client.site)
            let next = state.waiting[client.site]?.next()
            if next == nil { state.waiting[client.site] = nil }
            return next
        }
        next?.resume()
    }
}

/// The turn of one request.
final class BodyTurn: Sendable {
    private let turns: BodyTurns
    private let client: ClientNetwork
    private let isHeld = Atomic(false)

    /// Whether the turn has not begun or has ended.
    var isOver: Bool { !isHeld.load(ordering: .relaxed) }

    init(_ turns: BodyTurns, of client: ClientNetwork) {
        self.turns = turns
        self.client = client
    }

    /// Waits for the turn. Fails with `unavailable` if too many requests of the client wait.
    func begin() async throws(Failure) {
        try await turns.enter(client)
        isHeld.store(true, ordering: .relaxed)
    }

    /// Ends the turn. Does nothing before it has begun, and when called again.
    func end() {
        if isHeld.exchange(false, ordering: .relaxed) { turns.leave(client) }
    }

    deinit {
        end()
    }
}
