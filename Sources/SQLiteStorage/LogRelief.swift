import Foundation
import Synchronization

/// Lets the write-ahead log become empty although the database's readers always have something to read.
///
/// SQLite writes over the log from its beginning once all of it is in the database, which needs a moment at which no reader uses an older
/// state. Readers that overlap leave no such moment: the log would grow without bound, and what an erasure has deleted would stay in it. So while
/// the log is large, or an erasure waits for it, questions do not begin until those that run have ended, and other readers pause for a moment
/// now and then. A question that runs for long while the log is large is ended: all writes wait while the log is moved, longer the larger it is.
final class LogRelief: Sendable {
    private struct State {
        /// The questions that are being read.
        var reading = 0
        var isLarge = false
        /// The purges that keep questions from beginning.
        var purges = 0
        /// When a purge may do so next.
        var nextPurgePause: ContinuousClock.Instant
        /// The time until which other readers pause, and when they may pause next.
        var pauseEnd: ContinuousClock.Instant?
        var nextPause: ContinuousClock.Instant
        var isOver = false

        var isPaused: Bool { (isLarge || purges > 0) && !isOver }
    }

    /// The time that each question has, however large the log is.
    static let longestQuestion: Duration = .seconds(10)

    private static let look: Duration = .milliseconds(20)
    private static let margin: Duration = .seconds(5)
    /// The least time between two purges that keep questions from beginning: each may last as long as a question.
    private static let betweenPurgePauses: Duration = .seconds(120)
    /// The longest time for which other readers pause, and the least time between two pauses. They read for milliseconds, and go on once the log
    /// is moved.
    private static let (pause, betweenPauses): (Duration, Duration) = (.milliseconds(250), .seconds(2))

    private let state: Mutex<State>
    /// The longest time for which a question waits: another process may read for longer, and the log grows then.
    private let patience: Duration

    /// - Parameter questionLimit: the longest time of a question.
    init(questionLimit: Duration?) {
        patience = (questionLimit ?? .zero) + Self.margin
        let now = ContinuousClock.now
        state = Mutex(State(nextPurgePause: now, nextPause: now))
    }

    /// Whether the log could not be moved into the database, and is large.
    var isLarge: Bool { state.withLock(\.isLarge) }

    // MARK: Readers

    /// Runs a question on the calling thread, which sleeps until it may begin.
    func run(question: () -> Void) {
        let end = ContinuousClock.now + patience
        while !begin(before: end) { Self.sleep(Self.look) }
        question()
        state.withLock { $0.reading -= 1 }
    }

    private func begin(before end: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            if state.isPaused, ContinuousClock.now < end { return false }
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
                state.pauseEnd = nil
                return
            }
            let now = ContinuousClock.now
            guard state.reading == 0, !state.isOver, now >= state.nextPause else { return }
            state.pauseEnd = now + Self.pause
            state.nextPause = now + Self.betweenPauses
        }
    }

    /// Attempts to empty the log some times. If questions are being read, further ones wait until these have ended; where that was so a short
    /// time ago, no attempt is made. False if none succeeded.
    func purge(_ attempt: () async throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + patience
        var (attempts, isPausing) = (0, false)
        defer { if isPausing { state.withLock { $0.purges -= 1 } } }
        while attempts < 10, ContinuousClock.now < end {
            guard state.withLock({ $0.reading > 0 }) else {
                if try await attempt() { return true }
                attempts += 1
                try await Task.sleep(for: .milliseconds(250))
                continue
            }
            // An attempt would fail, and keep writers waiting.
            if !isPausing { isPausing = beginPurgePause() }
            guard isPausing else { return false }
            try await Task.sleep(for: Self.look)
        }
        return false
    }

    private func beginPurgePause() -> Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            guard now >= state.nextPurgePause else { return false }
            state.nextPurgePause = now + Self.betweenPurgePauses
            state.purges += 1
            return true
        }
    }

    /// Lets all readers begin, because the storage ends.
    func end() {
        state.withLock { state in
            state.isOver = true
            state.pauseEnd = nil
        }
    }
}
