import LindenKernel
import Synchronization

/// A clock that the demo moves from one act of its months to the next. It never goes back.
final class DemoClock: Sendable {
    private let time: Mutex<Timestamp>

    init(_ start: Timestamp) {
        time = Mutex(start)
    }

    var clock: WallClock { WallClock { self.time.withLock { $0 } } }

    func move(to moment: Timestamp) {
        time.withLock { $0 = max($0, moment) }
    }
}
