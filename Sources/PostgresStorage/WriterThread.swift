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
    /// How often the writer waits for its turn, see ``PostgresOptions/turnLimit``.
    private static let mostWaits = 3

    private let connection: PostgresConnection
    private let state: SQLState
    private let clock: WriterClock
    private let health: StorageHealth
    private let shared: WriterState
    private let options: PostgresOptions
    /// The number of changes of cached values, as last seen.
    private var revision: Int64?
    /// The opening of the connection in which this process became the leader; nil if it is not.
    private var leadingSince: Int?
    /// The opening of the connection that was last seen.
    private var seenOpening: Int
    /// The server of PostgreSQL that was last seen, see ``PostgresTurn/server``.
    private var seenServer: String?

    init(
        connection: PostgresConnection, options: PostgresOptions, state: SQLState, clock: WallClock, health: StorageHealth,
        shared: WriterState
    ) {
        self.connection = connection
        self.options = options
        seenOpening = connection.openings
        self.state = state
        self.clock = WriterClock(tolerance: options.clockTolerance, clock: clock, health: health)
        self.health = health
        self.shared = shared
        watch()
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
            options.metrics.didFail()
            for call in batch { call.fail(with: error) }
        }
    }

    /// Looks for changes by other processes, and whether this server is the leader; opens a lost connection again.
    func watch() {
        do {
            try connection.ensureOpen()
            let state = try PostgresTurn.state(connection)
            didSee(state.revision, of: state.server)
            if let time = state.time { try clock.compare(with: time) }
            if options.isServer, options.prepares { try lead() }
        } catch {
            health.observe(error)
            // Background work by a wrong clock would delete what is not old.
            if error is ClockError, leadingSince != nil {
                PostgresSchema.leaveLead(connection)
                leadingSince = nil
            }
        }
        checkConnection()
    }

    /// Notes that the connection was lost, with the leader's lock, or was opened again: the database may lack the last acknowledged commits.
    private func checkConnection() {
        if leadingSince != connection.openings || connection.isLost { leadingSince = nil }
        shared.isLeader.store(leadingSince != nil, ordering: .relaxed)
        guard seenOpening != connection.openings else { return }
        seenOpening = connection.openings
        forgetCachedValues()
    }

    private func forgetCachedValues() {
        state.invalidate()
        shared.foreignChanges.add(1, ordering: .relaxed)
    }

    private func lead() throws {
        guard leadingSince != connection.openings else { return }
        leadingSince = try PostgresSchema.lead(connection) ? connection.openings : nil
    }

    /// Releases the node number and closes the connection.
    func finish() {
        if state.ids.lease != nil {
            _ = try? inTransaction(defersResults: false) { transaction in
                try transaction.releaseNode()
                return true
            }
        }
        connection.close()
    }

    /// Runs the call in `batch` and the next ones of the queue, which are added to it. False if all were rolled back because one failed after
    /// a change, or by an error that was seen only afterwards.
    private func attempt(_ batch: inout [any QueuedCall], upTo count: Int, from queue: CallQueue) throws -> Bool {
        let began = ContinuousClock.now
        let end = began + Self.longestBatch
        let isCommitted = try repeating {
            try inTransaction(defersResults: true) { transaction in
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
                try inTransaction(defersResults: false) { transaction in
                    for call in part { try runInSavepoint(call, transaction) }
                    return true
                }
            }
            batch.removeFirst(part.count)
            deliver(part, began, queue)
        }
    }

    private func runInSavepoint(_ call: any QueuedCall, _ transaction: SQLTransaction) throws {
        let (mark, changes) = (transaction.mark, connection.totalChanges)
        _ = try connection.run("SAVEPOINT queued_call")
        let isDone = call.run(transaction)
        try requireConnection()
        if !isDone {
            _ = try connection.run("ROLLBACK TO queued_call")
            transaction.rollBack(to: mark)
            // What is undone does not show that the database can be written.
            connection.totalChanges = changes
        }
        _ = try connection.run("RELEASE queued_call")
    }

    private func deliver(_ batch: [any QueuedCall], _ began: ContinuousClock.Instant, _ queue: CallQueue) {
        queue.didSucceed()
        options.metrics.didCommit(batch.count, in: .now - began)
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
    ///
    /// - Parameter defersResults: whether errors of statements may be seen only at the commit, which then returns false.
    private func inTransaction(defersResults: Bool, _ body: (SQLTransaction) throws -> Bool) throws -> Bool {
        var lease = state.ids.lease
        do {
            let turn = try beginTurn()
            checkConnection()
            didSee(turn.revision, of: turn.server)
            lease = state.ids.lease
            let now = try clock.now(in: turn)
            connection.defersResults = defersResults
            if turn.newestID > state.ids.latestID { state.ids.skip(past: turn.newestID) }
            let changesBefore = connection.totalChanges
            let transaction = SQLTransaction(connection: connection, state: state, now: now)
            guard try body(transaction) else {
                connection.rollBack()
                state.ids.lease = lease
                return false
            }
            connection.defersResults = false
            revision = try turn.commit(connection, newestID: state.ids.latestID)
            if connection.totalChanges != changesBefore { health.didWrite() }
            transaction.didCommit()
            return true
        } catch let error as PostgresError where error.isDeferred && !error.isLost && !error.isConflict {
            connection.rollBack()
            state.ids.lease = lease
            return false
        } catch {
            connection.rollBack()
            state.ids.lease = lease
            checkConnection()
            throw error
        }
    }

    /// Begins a transaction once no other writer has one. A session that has the turn and whose process has stopped is ended.
    private func beginTurn() throws -> PostgresTurn {
        for _ in 1..<Self.mostWaits {
            do {
                return try PostgresTurn(connection)
            } catch let error as PostgresError where error.state == PostgresTurn.refused {
                connection.rollBack()
                guard try PostgresTurn.endStalled(connection, after: options.turnLimit) else { continue }
                health.warn("The session of a server that had stopped in the middle of a write was ended.")
            }
        }
        return try PostgresTurn(connection)
    }

    /// Notes the number of changes of cached values, and which server answers: a pooler may keep the connection while PostgreSQL starts again,
    /// or another one takes over. Changes by this process are seen at its commits, and its services know of them.
    private func didSee(_ number: Int64?, of server: String?) {
        if seenServer != nil, seenServer != server { forgetCachedValues() }
        seenServer = server
        if let number, let revision, number != revision { shared.foreignChanges.add(1, ordering: .relaxed) }
        revision = number ?? revision
    }
}
