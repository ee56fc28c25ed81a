import LindenKernel
import Synchronization

/// A clock that advances only when a test moves it. Starts at 2027-01-15 08:00 UTC.
package final class TestClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_800_000_000_000))

    package init() {}

    package var now: Timestamp { time.withLock { $0 } }

    package func advance(by duration: Duration) {
        time.withLock { $0 = $0 + duration }
    }

    package var clock: WallClock { WallClock { self.now } }
}

extension RandomSource {
    /// A reproducible source of random numbers (SplitMix64).
    package static func repeatable(seed: UInt64 = 1) -> RandomSource {
        let state = LockedSeed(seed)
        return RandomSource { state.next() }
    }
}

private final class LockedSeed: Sendable {
    private let state: Mutex<UInt64>

    init(_ seed: UInt64) {
        state = Mutex(seed)
    }

    func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
