import Foundation
import Synchronization

/// Lets the write-ahead log become empty although the database's readers always have something to read.
///
/// SQLite writes over the log from its beginning once all of it is in the database, which needs a moment at which no reader uses an older
/// state. Readers that overlap leave no such moment: the log would grow without bound, and what an erasure has deleted would stay in it.
///
/// - While the log is large, no question begins until those that run have ended, at the latest after ``longestWhileLarge``; then other readers
///   pause for a moment. Where another process reads for long, such as a backup, that does not help, and the log grows.
/// - While an erasure waits for it, questions do not begin either, until those that run have ended. Such pauses take a hundredth of the time.
final class LogRelief: Sendable {
    private struct State {
        /// The questions that are being read.
        var reading = 0
        var isLarge = false
        /// The pauses of other readers since the log became large.
        var pauses = 0
        /// The time until which other readers pause, and when they may pause next.
        var pauseEnd: ContinuousClock.Instant?
        var nextPause: ContinuousClock.Instant
        var isPurging = false
        /// When a purge may keep questions from beginning again.
        var nextPurge: ContinuousClock.Instant
        /// Whether the server begins to stop.
        var isHurrying = false
        var isOver = false

        /// Whether readers of this process keep the log large.
        var isRelieving: Bool { isLarge && pauses <= mostPauses && !isOver }
        var isPaused: Bool { isRelieving || isPurging && !isOver }
    }

    /// The time that a question has while the log is large, and while an erasure waits.
    private static let longestWhileLarge: Duration = .seconds(1)
    private static let longestWhilePurging: Duration = .seconds(10)
    private static let longestWhileStopping: Duration = .seconds(5)
    /// The longest time for which other readers pause, and the least time between two pauses. They read for milliseconds, and go on once the log
    /// is moved.
    private static let (pause, betweenPauses): (Duration, Duration) = (.milliseconds(250), .seconds(2))
    /// The pauses without effect after which another process must be what reads, and the time after which that is tried again.
    private static let mostPauses = 3
    private static let retry: Duration = .seconds(60)
    private static let look: Duration = .milliseconds(20)

    private let state: Mutex<State>

    init() {
        let now = ContinuousClock.now
        state = Mutex(State(nextPause: now, nextPurge: now))
    }

    // MARK: Readers

    /// The time that questions have just now; nil for no other than their limit.
    var longestQuestion: Duration? {
        state.withLock { state in
            if state.isRelieving { return Self.longestWhileLarge }
            if state.isHurrying { return Self.longestWhileStopping }
            return state.isPurging ? Self.longestWhilePurging : nil
        }
    }

    /// Runs a question on the calling thread, which sleeps until it may begin.
    func run(question: () -> Void) {
        while !begin() { Self.sleep(Self.look) }
        question()
        state.withLock { $0.reading -= 1 }
    }

    private func begin() -> Bool {
        state.withLock { state in
            if state.isPaused { return false }
            state.reading += 1
            return true
        }
    }

    /// Runs another call that reads on the calling thread, which sleeps during a pause.
    func run(read: () -> Void) {
        while let end = state.withLock(\.pauseEnd), ContinuousClock.now < end { Self.sleep(.milliseconds(1)) }
        read()
    }

    private static func sleep(_ time: Duration) { Thread.sleep(forTimeInterval: time / .seconds(1)) }

    // MARK: Writer

    /// Notes whether the log is large, after an attempt to move it into the database. If it is, and no question is read, other readers pause for
    /// the next attempts.
    func didMoveLog(isLarge: Bool) {
        state.withLock { state in
            state.isLarge = isLarge
            guard isLarge else {
                state.pauses = 0
                state.pauseEnd = nil
                return
            }
            let now = ContinuousClock.now
            if state.pauses > Self.mostPauses, now >= state.nextPause { state.pauses = 0 }
            guard state.isRelieving, state.reading == 0, now >= state.nextPause else { return }
            state.pauses += 1
            state.pauseEnd = now + Self.pause
            state.nextPause = now + (state.pauses > Self.mostPauses ? Self.retry : Self.betweenPauses)
        }
    }

    /// Attempts to empty the log some times. Where questions are being read, further ones wait until these have ended, unless they waited a short
    /// time ago. False if no attempt succeeded.
    func purge(_ attempt: () async throws -> Bool) async throws -> Bool {
        let start = ContinuousClock.now
        var isPausing = false
        defer { if isPausing { endPurge(after: .now - start) } }
        for _ in 0..<10 {
            while state.withLock({ $0.reading > 0 }) {
                // An attempt would fail, and keep writers waiting.
                if !isPausing { isPausing = beginPurge() }
                guard isPausing, .now - start < Self.longestWhilePurging * 2 else { return false }
                try await Task.sleep(for: Self.look)
            }
            if try await attempt() { return true }
            try await Task.sleep(for: .milliseconds(250))
        }
        return false
    }

    private func beginPurge() -> Bool {
        state.withLock { state in
            guard !state.isPurging, ContinuousClock.now >= state.nextPurge else { return false }
            state.isPurging = true
            return true
        }
    }

    private func endPurge(after time: Duration) {
        state.withLock { state in
            state.isPurging = false
            state.nextPurge = ContinuousClock.now + time * 100
        }
    }

    /// Gives questions a few seconds from now on, because the server begins to stop.
    func hurry() {
        state.withLock { $0.isHurrying = true }
    }

    /// Lets all readers begin, because the storage ends.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.pauseEnd = nil
        }
    }
}
