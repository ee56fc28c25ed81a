/// The schedule of a stored job: the number of attempts so far, and the time of the next one.
package struct JobState: Sendable, Equatable {
    package let attempts: Int
    package let dueAt: Timestamp

    package init(attempts: Int = 0, dueAt: Timestamp) {
        self.attempts = attempts
        self.dueAt = dueAt
    }
}

/// The result of an attempt.
package enum JobOutcome: Sendable, Equatable {
    case done
    /// The job takes another turn at once. Not a failed attempt.
    case again
    /// The attempt failed. The next one is due at the time that the claim has stored.
    case retry
    /// The job failed for good.
    case failed(reason: String)
}

/// The waits between the attempts of a job.
package struct JobBackOff: Sendable {
    private let waits: [Duration]

    package init(_ waits: Duration...) {
        precondition(!waits.isEmpty, "A back-off has at least one wait.")
        self.waits = waits
    }

    /// The number of waits that differ; the last one repeats.
    package var attempts: Int { waits.count }

    /// Returns the wait after an attempt that `attempts` others preceded.
    package func wait(after attempts: Int) -> Duration { waits[min(attempts, waits.count - 1)] }
}

/// A queue of stored jobs, which a ``JobRunner`` runs.
package protocol JobQueue: Sendable {
    associatedtype Job: Sendable

    /// The maximum number of jobs that run at the same time.
    var concurrency: Int { get }

    /// Returns jobs that are due, in turns by app.
    func due() async throws -> [Job]
    /// Claims a job for one attempt and stores the time of the next, by which an attempt that never ends is repeated as well. May change the
    /// job to what was stored. False if another process claimed it first.
    func claim(_ job: inout Job) async throws -> Bool
    /// Runs a claimed job, and changes it by its progress.
    func run(_ job: inout Job) async throws -> JobOutcome
    /// Returns the outcome of an attempt that threw an error, other than `unavailable`, which is always repeated.
    func outcome(of error: any Error) -> JobOutcome
    /// Stores the outcome of an attempt.
    func finish(_ job: Job, _ outcome: JobOutcome) async throws
    /// Stores what the jobs of a round that are done have in common. Called once per round that has any.
    func finishRound(_ done: [Job]) async throws
}

extension JobQueue {
    package func finishRound(_ done: [Job]) async throws {}
}
