import CoreMetrics

/// What the driver measures while it runs. How many calls wait is known to its queues, see ``SQLDatabase/waitingWrites``.
package struct StorageMetrics: Sendable {
    /// The time of the writer's transactions, from the beginning to the end of the commit.
    let commitTime: CoreMetrics.Timer
    /// The number of calls that were committed together.
    let batchSize: Recorder
    /// Transactions whose commit failed, with all their calls.
    let failedCommits: Counter
    package let refusedWrites: Counter
    package let refusedReads: Counter
    package let refusedQuestions: Counter

    package init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        commitTime = Timer(label: "linden_commit_duration_seconds", factory: factory)
        batchSize = Recorder(label: "linden_commit_batch_size", aggregate: true, factory: factory)
        failedCommits = Counter(label: "linden_commit_failures_total", factory: factory)
        func refused(_ queue: String) -> Counter {
            Counter(label: "linden_database_refused_total", dimensions: [("queue", queue)], factory: factory)
        }
        refusedWrites = refused("write")
        refusedReads = refused("read")
        refusedQuestions = refused("question")
    }

    package func didFail() {
        failedCommits.increment()
    }

    /// Measures a committed transaction.
    package func didCommit(_ calls: Int, in duration: Duration) {
        batchSize.record(calls)
        let (seconds, attoseconds) = duration.components
        commitTime.recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
