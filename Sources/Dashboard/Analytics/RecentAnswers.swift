import Synchronization

/// Answers that took long to read. For a minute they are given again, so that users who look at a page of millions of rows once more, or
/// with colleagues, do not wait each time. All others are read each time, so a small app's first click is seen at once.
final class RecentAnswers: Sendable {
    private struct Kept {
        let answer: any Sendable
        let end: ContinuousClock.Instant
    }

    private static let lifetime: Duration = .seconds(60)
    /// The most answers that are kept. One has thousands of rows at most.
    private static let mostKept = 32

    /// The time that an answer takes at least to be kept.
    private let longTime: Duration
    private let kept = Mutex<[String: Kept]>([:])

    init(longTime: Duration = .milliseconds(20)) {
        self.longTime = longTime
    }

    /// Returns the answer to a question, read by a function unless it is kept.
    ///
    /// - Parameter question: all that the answer depends on: the app, and what is asked.
    func answer<Answer: Sendable>(to question: String, _ read: () async throws -> Answer) async throws -> Answer {
        let begin = ContinuousClock.now
        if let kept = kept.withLock({ $0[question] }), begin < kept.end, let answer = kept.answer as? Answer { return answer }
        let answer = try await read()
        let now = ContinuousClock.now
        guard now - begin >= longTime else { return answer }
        kept.withLock { kept in
            kept = kept.filter { now < $0.value.end }
            if kept.count >= Self.mostKept, let oldest = kept.min(by: { $0.value.end < $1.value.end }) { kept[oldest.key] = nil }
            kept[question] = Kept(answer: answer, end: now + Self.lifetime)
        }
        return answer
    }
}
