import LindenKernel
import Synchronization

/// Turns of costly work that anyone may request: a few callers work at a time, and those of different sites take turns.
///
/// The places of callers that wait are bounded, for each site and in total. Where all are taken, a site with fewer takes one of the site
/// that has most, whose last caller is refused: a flood from a few networks refuses its own callers and not those of others. As long as there are
/// fewer sites than places, each site has one.
package final class FairTurns: Sendable {
    private typealias Caller = CheckedContinuation<Void, any Error>

    private struct State {
        var running = 0
        var waitingCount = 0
        var waiting = FairQueue<Caller>()
    }

    private enum Beginning {
        case now, refused
        /// Waits; the caller whose place it took, if any, is refused.
        case later(instead: Caller?)
    }

    private let atOnce: Int
    private let mostWaiting: (ofSite: Int, ofAll: Int)
    private let refusal: String
    private let state = Mutex(State())

    /// - Parameters:
    ///   - atOnce: the number of callers that work at the same time.
    ///   - mostWaiting: the most callers of a site, and of all sites, that wait.
    ///   - refusal: the message of the failure of further callers.
    package init(atOnce: Int, mostWaiting: (ofSite: Int, ofAll: Int), refusal: String) {
        self.atOnce = atOnce
        self.mostWaiting = mostWaiting
        self.refusal = refusal
    }

    /// Runs `work` in the turn of a site. Fails with `unavailable` if too many wait.
    ///
    /// - Parameter site: see ``ClientNetwork/site``; nil for callers that no network limits, which share one place in the order.
    package func run<Value: Sendable>(for site: UInt64?, _ work: () async throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
            let beginning = state.withLock { begin(caller, of: site, &$0) }
            switch beginning {
            case .now: caller.resume()
            case .refused: refuse(caller)
            case .later(let other?): refuse(other)
            case .later(nil): break
            }
        }
        defer { leave() }
        return try await work()
    }

    /// The number of callers that wait.
    package var waitingCount: Int { state.withLock(\.waitingCount) }

    private func begin(_ caller: Caller, of site: UInt64?, _ state: inout State) -> Beginning {
        guard state.running >= atOnce else {
            state.running += 1
            return .now
        }
        let count = state.waiting.count(of: site)
        guard count < mostWaiting.ofSite else { return .refused }
        var other: Caller?
        if state.waitingCount < mostWaiting.ofAll {
            state.waitingCount += 1
        } else {
            other = state.waiting.removeLast(ofOneAbove: count + 1)
            if other == nil { return .refused }
        }
        state.waiting.append(caller, of: site)
        return .later(instead: other)
    }

    private func refuse(_ caller: Caller) { caller.resume(throwing: Failure.unavailable(refusal)) }

    private func leave() {
        let next = state.withLock { state -> Caller? in
            let next = state.waiting.next()
            if next == nil { state.running -= 1 } else { state.waitingCount -= 1 }
            return next
        }
        next?.resume()
    }
}
