import NIOCore
import Synchronization

/// How many refusals of visits wait to be sent on connections of proxies.
///
/// A refusal that waits holds a connection of the client that floods, whose number is limited. Behind a proxy it holds one of the proxy's
/// connections instead, which all visitors share; one address could hold them all.
final class RefusalDelays: Sendable {
    /// A fifth of a second on average. The time differs, so that refusals of a flood are not all sent in the same moment.
    static var delay: TimeAmount { .milliseconds(.random(in: 100...300)) }
    /// Fewer than a worker of nginx has connections by default.
    static let most = 256

    private let waiting = Atomic(0)

    /// Begins a delay. Returns false if as many wait already; ``end()`` must follow otherwise.
    func begin() -> Bool {
        guard waiting.wrappingAdd(1, ordering: .relaxed).newValue > Self.most else { return true }
        end()
        return false
    }

    func end() {
        waiting.wrappingSubtract(1, ordering: .relaxed)
    }
}
