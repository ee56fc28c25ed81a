import Synchronization

/// A share of a limit that is in use: a place, bytes or rows. It is given back when it ends or is released, also if the work that it is for
/// never happens.
package final class Hold: Sendable {
    private let onEnd: @Sendable () -> Void
    private let hasEnded = Atomic(false)

    package init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = onEnd
    }

    /// Gives back. Does nothing when called again.
    package func end() {
        if !hasEnded.exchange(true, ordering: .relaxed) { onEnd() }
    }

    deinit {
        end()
    }
}
