import Foundation
import LindenKernel
import SQLStorage
import Synchronization

/// The state that only the writer thread accesses.
final class WriterThread: @unchecked Sendable {
    /// The bounds of a transaction. The first calls wait for the outcome of all others.
    private static let longestBatch: Duration = .milliseconds(20)
    private static let largestBatch = 256
    /// The server keeps 64 subtransactions of a transaction in memory; more would slow down every reader.
    private static let mostSavepoints = 60
    /// How often a transaction is repeated because of a concurrent one.
    private static let mostRepetitions = 5

    private let connection: PostgresConnection
    private let metrics: StorageMetrics
    private let state: SQLState
    private let clock: WallClock
    private let health: StorageHealth
    private let observed: ForeignCommits
    /// The number of commits of all processes, as last seen.
    private var commits: Int64?

    init(
        connection: PostgresConnection, metrics: StorageMetrics, state: SQLState, clock: WallClock, health: StorageHealth,
        observed: ForeignCommits
    ) {
        self.connection = connection
        self.metrics = metrics
        self.state = state
        self.clock = clock
        self.health = health
        self.observed = observed
        commits = try? PostgresSchema.commits(connection)
    }

    /// Runs a call, and those that wait behind it as long as the transaction is short, in one transaction; delivers their outcomes after the
    /// commit.
    ///
    /// A call that fails before it has changed anything just fails. One that fails after a change, or by an error of the database, spoils the
    /// batch, which is rolled back and repeated with a savepoint around each call: failures are rare, and savepoints for every call would cost
    /// all of them two round trips each.
    func commit(_ call: any QueuedCall, and waiting: Int, from queue: CallQueue) {
        var batch = [call]
        do {
            if try !attempt(&batch, upTo: min(1 + waiting, Self.largestBatch), from: queue) {
                try repeatWithSavepoints(&batch, from: queue)
            }
        } catch {
            metrics.didFail()
            for call in batch { call.fail(with: error) }
        }
    }

    /// Looks for commits of other processes; opens a lost connection again.
    func watch() {
        do {
            try connection.ensureOpen()
            didSee(try PostgresSchema.commits(connection), own: 0)
        } catch {
            health.observe(error)
        }
    }

    /// Releases the node number and closes the connection.
    func finish() {
        if state.ids.lease != nil {
            _ = try? inTransaction { transaction in
                try transaction.releaseNode()
                return true
            }
        }
        connection.close()
    }

    /// Runs the call in `batch` and the next ones of the queue, which are added to it. False if all were rolled back because one failed after
    /// a change.
    private func attempt(_ batch: inout [any QueuedCall], upTo count: Int, from queue: CallQueue) throws -> Bool {
        let began = ContinuousClock.now
        let end = began + Self.longestBatch
        let isCommitted = try repeating {
            try inTransaction { transaction in
                var (position, changes) = (0, connection.totalChanges)
                while position < batch.count {
                    let isDone = batch[position].run(transaction)
                    try requireConnection()
                    guard connection.isInTransaction, isDone || connection.totalChanges == changes else { return false }
                    changes = connection.totalChanges
                    position += 1
                    if position < count, ContinuousClock.now < end, let call = queue.poll() { batch.append(call) }
                }
                return true
            }
        }
        if isCommitted { deliver(batch, began, queue) }
        return isCommitted
    }

    /// Runs the calls of a batch, as many in a transaction as may have savepoints. Those in `batch` afterwards were not committed.
    private func repeatWithSavepoints(_ batch: inout [any QueuedCall], from queue: CallQueue) throws {
        while !batch.isEmpty {
            let began = ContinuousClock.now
            let part = Array(batch.prefix(Self.mostSavepoints))
            _ = try repeating {
                try inTransaction { transaction in
                    for call in part { try runInSavepoint(call, transaction) }
                    return true
                }
            }
            batch.removeFirst(part.count)
            deliver(part, began, queue)
        }
    }

    private func runInSavepoint(_ call: any QueuedCall, _ transaction: SQLTransaction) throws {
        let mark = transaction.mark
        _ = try connection.run("SAVEPOINT queued_call")
        let isDone = call.run(transaction)
        try requireConnection()
        if !isDone {
            _ = try connection.run("ROLLBACK TO queued_call")
            transaction.rollBack(to: mark)
        }
        _ = try connection.run("RELEASE queued_call")
    }

    private func deliver(_ batch: [any QueuedCall], _ began: ContinuousClock.Instant, _ queue: CallQueue) {
        queue.didSucceed()
        metrics.didCommit(batch.count, in: .now - began)
        for call in batch { call.deliver() }
    }

    /// Runs a transaction, again if it failed because of a concurrent one.
    private func repeating(_ body: () throws -> Bool) throws -> Bool {
        var repetitions = 0
        while true {
            do {
                return try body()
            } catch let error as PostgresError where error.isConflict && repetitions < Self.mostRepetitions {
                repetitions += 1
            }
        }
    }

    /// Throws the error by which the whole transaction failed, and not only the call that met it.
    private func requireConnection() throws {
        if let conflict = connection.conflict { throw conflict }
        if connection.isLost { throw PostgresError(state: "08006", message: "the connection is lost", isLost: true) }
    }

    /// Runs a closure in a transaction, which is committed if it returns true, and otherwise rolled back.
    private func inTransaction(_ body: (SQLTransaction) throws -> Bool) throws -> Bool {
        let lease = state.ids.lease
        do {
            let number = try PostgresSchema.beginWriting(connection)
            let changesBefore = connection.totalChanges
            let transaction = SQLTransaction(connection: connection, state: state, now: clock.now())
            guard try body(transaction) else {
                connection.rollBack()
                state.ids.lease = lease
                return false
            }
            try connection.commit()
            didSee(number, own: 1)
            if connection.totalChanges != changesBefore { health.didWrite() }
            transaction.didCommit()
            return true
        } catch {
            connection.rollBack()
            state.ids.lease = lease
            throw error
        }
    }

    /// Notes the number of commits of all processes.
    private func didSee(_ number: Int64, own: Int64) {
        if let commits, number != commits + own { observed.count.add(1, ordering: .relaxed) }
        commits = number
    }
}
