import CAllocator
import Synchronization

/// The memory that the process has freed.
package enum FreeMemory {
    /// Gives it back to the operating system. Otherwise the allocator keeps it for the thread that used it, up to 64 MB for each, so that large
    /// work on several threads, one after another, would take the memory of all of them together. Takes some milliseconds, for which other
    /// threads may wait; so it does nothing if it did within the last second.
    package static func giveBack() {
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            if let last, now - last < .seconds(1) { return false }
            last = now
            return true
        }
        if isDue { malloc_trim(0) }
    }

    private static let last = Mutex<ContinuousClock.Instant?>(nil)
}
