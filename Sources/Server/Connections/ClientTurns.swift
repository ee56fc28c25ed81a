import LindenKernel
import LindenServices
import Synchronization

/// The turns of clients' requests: of each site, a few at a time are handled.
///
/// A call may take milliseconds of the threads that all calls share, and a megabyte of memory until it is answered, so many connections of
/// one client would delay others. The addresses of a site take turns. A request that waits holds no thread.
final class ClientTurns: Sendable {
    private struct Site {
        /// The requests that have their turn.
        var running = 0
        var waiting = FairQueue<CheckedContinuation<Void, Never>>()
    }

    private struct State {
        var admitted = NetworkUse<UInt64, UInt64>()
        /// The sites of requests that have their turn.
        var sites: [UInt64: Site] = [:]
    }

    /// The turns of requests with large bodies: parsing, checking and storing one takes up to a millisecond for each 10 KiB.
    /// ``BodyBudget`` bounds the memory that the bodies take.
    static func ofLargeBodies() -> ClientTurns { ClientTurns(atOnce: 1, shares: NetworkShares(address: 64)) }

    /// The turns of other calls. As many connections as a client may have can wait.
    static func ofCalls() -> ClientTurns { ClientTurns(atOnce: 16, shares: NetworkShares(address: 1024)) }

    /// The size in bytes above which a body is large. Most calls of SDKs send less.
    static let largeBytes = 8 << 10

    /// The most requests of a client that wait or have their turn.
    let shares: NetworkShares
    private let atOnce: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - atOnce: the number of a site's requests that have their turn at the same time.
    ///   - shares: the most requests of a client that wait or have their turn.
    init(atOnce: Int, shares: NetworkShares) {
        self.atOnce = atOnce
        self.shares = shares
    }

    /// Waits for the client's turn, which ends with ``leave(_:)``. Fails with `unavailable` if too many requests of the client wait.
    func enter(_ client: ClientNetwork) async throws(Failure) {
        guard state.withLock({ $0.admitted.take(1, client.address, client.site, within: shares) }) else {
            throw .unavailable("Too many requests of your network are waiting; please try again.")
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = state.withLock { state -> Bool in
                var site = state.sites.removeValue(forKey: client.site) ?? Site()
                defer { state.sites[client.site] = site }
                guard site.running >= atOnce else {
                    site.running += 1
                    return true
                }
                site.waiting.append(continuation, of: client.address)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    func leave(_ client: ClientNetwork) {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.admitted.giveBack(1, client.address, client.site)
            guard var site = state.sites.removeValue(forKey: client.site) else { return nil }
            let next = site.waiting.next()
            if next == nil { site.running -= 1 }
            if site.running > 0 { state.sites[client.site] = site }
            return next
        }
        next?.resume()
    }
}

/// The turn of one request.
final class ClientTurn: Sendable {
    private let turns: ClientTurns
    private let client: ClientNetwork
    private let isHeld = Atomic(false)

    /// Whether the turn has not begun or has ended.
    var isOver: Bool { !isHeld.load(ordering: .relaxed) }

    init(_ turns: ClientTurns, of client: ClientNetwork) {
        self.turns = turns
        self.client = client
    }

    /// Waits for the turn, unless it has begun. Fails with `unavailable` if too many requests of the client wait.
    func begin() async throws(Failure) {
        guard isOver else { return }
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
