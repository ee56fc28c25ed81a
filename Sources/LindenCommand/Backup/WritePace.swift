import Foundation

/// The pace at which a large file is written beside a server.
///
/// Each portion is brought to the disk, and followed by a pause as long as it took, so that the server's commits have half of the disk's time.
/// Otherwise the disk would get the whole file at its end, and all commits wait for it.
struct WritePace {
    private static let portion: Int64 = 4 << 20
    private static let longestPause: TimeInterval = 1

    private var written: Int64 = 0
    private var began = ContinuousClock.now

    /// - Parameter bytes: those written so far.
    mutating func keep(at bytes: Int64, flush: () throws -> Void) rethrows {
        guard bytes - written >= Self.portion else { return }
        written = bytes
        try flush()
        let time = ContinuousClock.now - began
        Thread.sleep(forTimeInterval: min(Self.longestPause, time / .seconds(1)))
        began = .now
    }
}
