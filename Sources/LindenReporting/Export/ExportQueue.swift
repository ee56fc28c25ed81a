import Linden
import LindenKernel

/// The ordered exports.
struct ExportQueue: JobQueue {
    private static let backOff = JobBackOff(.seconds(5), .seconds(30), .seconds(120), .seconds(600))

    /// The time after which the export of another app has its turn. A filter may take milliseconds for a row.
    private static let longestTurn: Duration = .seconds(1)

    let concurrency = 1
    let exports: ExportService
    let page: ExportPageLimit

    func due() async throws -> [ExportJob] {
        try await exports.storage.read { try $0.exportJobs(dueAt: $0.now) }
    }

    func claim(_ job: inout ExportJob) async throws -> Bool {
        let wait = Self.backOff.wait(after: job.schedule.attempts)
        let claimed = try await exports.storage.write { [job] transaction -> JobState? in
            let next = transaction.now + wait
            return try transaction.claim(job, until: next) ? JobState(attempts: job.schedule.attempts + 1, dueAt: next) : nil
        }
        job.schedule = claimed ?? job.schedule
        return claimed != nil
    }

    func run(_ job: inout ExportJob) async throws -> JobOutcome {
        var cursor = try await exports.begin(try ExportRequest(json: job.request, scope: job.scope), page: page)
        cursor.resume(at: ExportCheckpoint(id: job.through), rows: job.rows)
        // The page after the turn's last would be read again in the next turn.
        cursor.readsAhead = false
        var isDone = false
        let end = ContinuousClock.now + Self.longestTurn
        for _ in 0..<ExportService.pagesPerTurn where !isDone && .now < end {
            try Task.checkCancellation()
            isDone = try await cursor.nextRecords(until: end) == nil
        }
        (job.rows, job.through) = (cursor.rows, cursor.checkpoint.id)
        return isDone ? .done : .again
    }

    /// A retry would fail again and block the jobs behind it.
    func outcome(of error: any Error) -> JobOutcome {
        .failed(reason: (error as? Failure)?.message ?? "The rows cannot be read: \(error)")
    }

    func finish(_ job: ExportJob, _ outcome: JobOutcome) async throws {
        guard outcome != .retry else { return }
        try await exports.storage.write { transaction in
            var job = job
            let claimed = job.schedule
            job.schedule = JobState(dueAt: transaction.now)
            switch outcome {
            case .done: job.state = .complete
            case .failed(let reason): (job.state, job.failure) = (.failed, reason)
            case .again, .retry: break
            }
            try transaction.update(job, claimed: claimed)
        }
    }
}
