import Foundation
import Synchronization

/// Lets the write-ahead log become empty although the database's analysts always have something to read.
///
/// SQLite writes over the log from its beginning once all of it is in the database, which needs a moment at which no reader uses an older
/// state. Questions that last for seconds and overlap would leave no such moment: the log would grow without bound, and what an erasure has
/// deleted would stay in it. So questions do not begin while the log is large, or an erasure waits for it, until those that run have ended. One
/// that runs for long while the log is large is ended: all writes wait while the log is moved, longer the larger it is.
final class LogRelief: Sendable {
    private struct State {
        /// The questions that are being read.
        var reading = 0
        var isLarge = false
        /// The callers that wait for the log to be emptied.
        var purges = 0
        var isOver = false

        var isPaused: Bool { (isLarge || purges > 0) && !isOver }
    }

    /// The time that each question has, however large the log is.
    static let longestQuestion: Duration = .seconds(10)

    private static let look: Duration = .milliseconds(20)
    private static let margin: Duration = .seconds(5)

    private let state = Mutex(State())
    /// The longest time for which a question waits: another process may read for longer, and the log grows then.
    private let patience: Duration

    /// - Parameter questionLimit: the longest time of a question.
    init(questionLimit: Duration?) {
        patience = (questionLimit ?? .zero) + Self.margin
    }

    /// Whether the log could not be moved into the database, and is large.
    var isLarge: Bool { state.withLock(\.isLarge) }

    /// Whether a question is being read.
    var isReading: Bool { state.withLock { $0.reading > 0 } }

    /// Runs a question on the calling thread, which sleeps until it may begin.
    func run(_ question: () -> Void) {
        let end = ContinuousClock.now + patience
        while !begin(before: end) { Thread.sleep(forTimeInterval: Self.look / .seconds(1)) }
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

    /// Notes whether the log is large, after an attempt to move it into the database.
    func setLarge(_ isLarge: Bool) {
        state.withLock { $0.isLarge = isLarge }
    }

    /// Attempts to empty the log some times once the questions that are being read have ended; no further ones begin. False if no attempt
    /// succeeded.
    func purge(_ attempt: () async throws -> Bool) async throws -> Bool {
        state.withLock { $0.purges += 1 }
        defer { state.withLock { $0.purges -= 1 } }
        let end = ContinuousClock.now + patience
        var others = 0
        while others < 10, ContinuousClock.now < end {
            if isReading {
                // An attempt would fail, and keep writers waiting.
                try await Task.sleep(for: Self.look)
                continue
            }
            if try await attempt() { return true }
            others += 1
            try await Task.sleep(for: .milliseconds(250))
        }
        return false
    }

    /// Lets all questions begin, because the storage ends.
    func end() {
        state.withLock { $0.isOver = true }
    }
}
