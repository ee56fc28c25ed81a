/// Runs the jobs of a queue. A job that fails does not delay the others.
package struct JobRunner<Queue: JobQueue>: Sendable {
    private let queue: Queue

    package init(_ queue: Queue) { self.queue = queue }

    /// Runs the jobs that are due once. Throws the first error of an attempt that will be repeated, after all others have run.
    ///
    /// - Returns: false if no job was claimed, or the task is cancelled.
    package func runRound() async throws -> Bool {
        let due = try await queue.due()
        let attempts = try await withThrowingTaskGroup(of: Attempt.self) { tasks in
            var ended: [Attempt] = []
            for (number, job) in due.enumerated() where !Task.isCancelled {
                if number >= queue.concurrency, let attempt = try await tasks.next() { ended.append(attempt) }
                tasks.addTask { try await attempt(job) }
            }
            for try await attempt in tasks { ended.append(attempt) }
            return ended
        }
        let done = attempts.compactMap(\.done)
        if !done.isEmpty { try await queue.finishRound(done) }
        if let error = attempts.compactMap(\.error).first { throw error }
        return attempts.contains { $0.isClaimed } && !Task.isCancelled
    }

    private struct Attempt: Sendable {
        var isClaimed = false
        /// The job, if it is done.
        var done: Queue.Job?
        /// The error of an attempt that will be repeated.
        var error: (any Error)?
    }

    private func attempt(_ job: Queue.Job) async throws -> Attempt {
        var job = job
        guard !Task.isCancelled, try await queue.claim(&job) else { return Attempt() }
        var attempt = Attempt(isClaimed: true)
        let outcome: JobOutcome
        do {
            outcome = try await queue.run(&job)
        } catch let error as CancellationError {
            throw error
        } catch {
            outcome = (error as? Failure)?.code == .unavailable ? .retry : queue.outcome(of: error)
            if outcome == .retry { attempt.error = error }
        }
        try await queue.finish(job, outcome)
        if outcome == .done { attempt.done = job }
        return attempt
    }
}
