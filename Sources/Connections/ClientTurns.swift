import LindenKernel
import LindenServices
import NIOCore
import Synchronization

/// The turns of clients' requests: of each site, a few at a time are handled.
///
/// A call may take milliseconds of the threads that all calls share, and a megabyte of memory until it is answered, so many connections of
/// one client would delay others. The addresses of a site take turns. A request that waits holds no thread.
package final class ClientTurns: Sendable {
    private struct State {
        var admitted = NetworkUse<UInt64, UInt64>()
        var turns: SiteTurns<CheckedContinuation<Bool, Never>>
    }

    /// The turns of requests with large bodies: parsing, checking and storing one takes up to a millisecond for each 10 KiB.
    /// ``RequestBudget`` bounds the memory that the bodies take. One core at least is left to other calls, however many sites send them.
    package static func ofLargeBodies(cores: Int = System.coreCount) -> ClientTurns {
        ClientTurns(
            atOnce: (ofSite: 1, ofAll: max(1, cores - 1)), shares: NetworkShares(address: 64), waiting: 512,
            longest: .milliseconds(250))
    }

    /// The turns of other calls. One that waits, as with a large body, holds up to 70 KB, so all together hold some 80 MB at most.
    package static func ofCalls() -> ClientTurns {
        ClientTurns(atOnce: (ofSite: 16, ofAll: .max), shares: NetworkShares(address: 256, site: 768), waiting: 1024)
    }

    /// The size in bytes above which a body is large. Most calls of SDKs send less.
    package static let largeBytes = 8 << 10

    /// The most requests of a client that wait or have their turn.
    let shares: NetworkShares
    /// The longest time of a turn; nil for any. One that takes longer waits for something, and delays no other meanwhile.
    fileprivate let longest: Duration?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - atOnce: the number of requests of a site, and of all sites, that have their turn at the same time.
    ///   - shares: the most requests of a client that wait or have their turn.
    ///   - waiting: the most requests of all clients that wait. When so many do, the last one of the site that has most makes room.
    init(atOnce: (ofSite: Int, ofAll: Int), shares: NetworkShares, waiting: Int, longest: Duration? = nil) {
        self.shares = shares
        self.longest = longest
        state = Mutex(State(turns: SiteTurns(atOnce: atOnce, mostWaiting: (ofSite: .max, ofAll: waiting))))
    }

    /// The number of requests that wait.
    var waitingCount: Int { state.withLock(\.turns.waitingCount) }

    /// Waits for the client's turn, which ends with ``leave(_:)``. Fails with `unavailable` if too many requests of the client wait, or too
    /// many of all clients.
    func enter(_ client: ClientNetwork) async throws(Failure) {
        guard state.withLock({ $0.admitted.take(1, client.address, client.site, within: shares) }) else {
            throw .unavailable("Too many requests of your network are waiting; please try again.")
        }
        let hasTurn = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            switch state.withLock({ $0.turns.begin(client, orQueue: continuation) }) {
            case .now: continuation.resume(returning: true)
            case .later: break
            case .instead(of: let other): other.resume(returning: false)
            case .refused: continuation.resume(returning: false)
            }
        }
        guard hasTurn else {
            state.withLock { $0.admitted.giveBack(1, client.address, client.site) }
            throw .unavailable("Too many requests are waiting just now; please try again.")
        }
    }

    func leave(_ client: ClientNetwork) {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            state.admitted.giveBack(1, client.address, client.site)
            return state.turns.end(client.site)?.waiting
        }
        next?.resume(returning: true)
    }
}

/// The turn of one request.
package final class ClientTurn: Sendable {
    private let turns: ClientTurns
    private let client: ClientNetwork
    private let isHeld = Atomic(false)

    /// Whether the turn has not begun or has ended.
    package var isOver: Bool { !isHeld.load(ordering: .relaxed) }

    package init(_ turns: ClientTurns, of client: ClientNetwork) {
        self.turns = turns
        self.client = client
    }

    /// Waits for the turn, unless it has begun. Fails with `unavailable` if too many requests of the client wait.
    package func begin() async throws(Failure) {
        guard isOver else { return }
        try await turns.enter(client)
        isHeld.store(true, ordering: .relaxed)
        guard let longest = turns.longest else { return }
        Task { [weak self] in
            try? await Task.sleep(for: longest)
            self?.end()
        }
    }

    /// Ends the turn. Does nothing before it has begun, and when called again.
    package func end() {
        if isHeld.exchange(false, ordering: .relaxed) { turns.leave(client) }
    }

    deinit {
        end()
    }
}
