import NIOCore
import Synchronization

/// The connections with a request that is answered while its client still sends the rest. It is their last one: otherwise they would keep the
/// memory of the request until its end comes.
///
/// A connection that is closed while bytes arrive is reset, and the client loses the answer. So its bytes are read and dropped for a moment
/// more, see ``ReceivedBytes/endInput(after:)``.
final class ClosingConnections: Sendable {
    private let count = Atomic(0)

    /// Adds a connection, which must be removed with ``leave()``.
    ///
    /// - Returns: the time until it is closed. Any number of them can be opened behind a proxy, each with 100 KB in the kernel, so further ones
    ///   have less.
    func enter() -> TimeAmount {
        let (_, count) = count.add(1, ordering: .relaxed)
        return count <= ConnectionLimits.patientlyClosing ? .seconds(2) : .milliseconds(100)
    }

    func leave() { count.subtract(1, ordering: .relaxed) }
}
