import LindenKernel
import Synchronization

/// The uploads of a server's backups since its start, as metrics show them.
final class UploadRecord: Sendable {
    struct Totals: Sendable {
        /// When the newest backup that is known to be in the bucket began; nil until one is.
        var newest: Timestamp?
        var failures = 0
    }

    private let state = Mutex(Totals())

    var totals: Totals { state.withLock { $0 } }

    func add(upload time: Timestamp) {
        state.withLock { $0.newest = time }
    }

    func addFailure() {
        state.withLock { $0.failures += 1 }
    }
}
