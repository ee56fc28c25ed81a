import Linden
import LindenKernel
import LindenReporting
import LindenServices
import Synchronization

/// Answers about large apps that took long to read. For a minute they are given again, so that users who look at a page of millions of rows
/// once more, or with colleagues, do not wait each time. All others are read each time, so a small app's first click is seen at once, on a
/// slow machine too.
final class RecentAnswers: Sendable {
    private struct Kept {
        let answer: any Sendable
        let bytes: Int
        let end: ContinuousClock.Instant
    }

    private struct Question: Hashable {
        let scope: Scope
        let text: BytewiseText
    }

    private static let lifetime: Duration = .seconds(60)
    /// The most bytes of the answers that are kept, about. One may have tens of thousands of rows.
    private static let mostBytes = 8 << 20

    /// The time that an answer takes at least to be kept.
    private let longTime: Duration
    private let isLarge: @Sendable (Scope) async throws -> Bool
    private let kept = Mutex<[Question: Kept]>([:])

    /// - Parameter isLarge: returns whether an app has so many events that answers about it may be a minute old. It is asked only after an
    ///   answer that took long.
    init(longTime: Duration = .milliseconds(20), isLarge: @escaping @Sendable (Scope) async throws -> Bool) {
        self.longTime = longTime
        self.isLarge = isLarge
    }

    /// Returns the answer to a question, read by a function unless it is kept.
    ///
    /// - Parameters:
    ///   - text: all that the answer depends on, except the app.
    ///   - scope: the app that the question is about.
    ///   - size: returns the bytes that an answer takes in memory, about.
    ///   - inTurn: runs what reads an answer when it is the question's turn. Meanwhile another one may have kept the same answer.
    func answer<Answer: Sendable>(
        to text: String, of scope: Scope, size: @escaping @Sendable (Answer) -> Int = { _ in 64 << 10 },
        inTurn: (@Sendable () async throws -> Answer) async throws -> Answer = { try await $0() },
        _ read: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let question = Question(scope: scope, text: BytewiseText(text))
        if let answer: Answer = answer(to: question) { return answer }
        return try await inTurn {
            if let answer: Answer = answer(to: question) { return answer }
            return try await self.read(question, size, read)
        }
    }

    private func answer<Answer>(to question: Question) -> Answer? {
        kept.withLock { $0[question] }.flatMap { ContinuousClock.now < $0.end ? $0.answer as? Answer : nil }
    }

    /// Reads an answer, and keeps it if it is one to be kept.
    private func read<Answer: Sendable>(
        _ question: Question, _ size: (Answer) -> Int, _ read: () async throws -> Answer
    ) async throws -> Answer {
        let begin = ContinuousClock.now
        let answer = try await read()
        let now = ContinuousClock.now
        guard now - begin >= longTime, try await isLarge(question.scope) else { return answer }
        let bytes = size(answer) + question.text.text.utf8.count
        guard bytes <= Self.mostBytes else { return answer }
        kept.withLock { kept in
            kept = kept.filter { now < $0.value.end && $0.key != question }
            var total = kept.values.reduce(bytes) { $0 + $1.bytes }
            while total > Self.mostBytes, let oldest = kept.min(by: { $0.value.end < $1.value.end }) {
                kept[oldest.key] = nil
                total -= oldest.value.bytes
            }
            kept[question] = Kept(answer: answer, bytes: bytes, end: now + Self.lifetime)
        }
        return answer
    }
}

extension AnalyticsService {
    /// The least number of events of a large app in 30 days. Pages about fewer take some milliseconds.
    private static let eventsOfLargeApp: Int128 = 100_000

    /// Returns whether an app has so many events that answers about it may be a minute old. Reads daily totals only.
    func isLarge(_ scope: Scope, now: Timestamp) async throws -> Bool {
        var parameters = AnalyticsParameters()
        parameters.from = "30d"
        parameters.topics = [OverviewMeasure.clicks, .opens, .events].flatMap(\.topics).map(\.rawValue)
        parameters.granularity = Granularity.all.rawValue
        let answer = try await counts(try parameters.counts(of: scope, now: now))
        return answer.rows.reduce(0) { $0 + $1.figure } >= Self.eventsOfLargeApp
    }
}
