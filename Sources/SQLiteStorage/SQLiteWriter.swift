import DequeModule
import Foundation
import LindenKernel
import Logging
import SQLStorage
import Synchronization

/// The single writer thread.
final class SQLiteWriter: Sendable {
    /// The interval between checks for changes by other processes.
    private static let watchInterval: Duration = .milliseconds(500)
    /// 16 MiB of write-ahead log at 4 KiB a page. A checkpoint blocks all writes for about ten milliseconds: a larger log would block
    /// longer, smaller ones would write more in all.
    private static let checkpointPages: Int32 = 4096
    private static let pageBytes = 4096

    let foreignChanges = Atomic<Int>(0)

    private let queue: CallQueue
    private let thread: WriterThread
    private let health: StorageHealth
    private let relief: LogRelief
    /// Callers waiting for the log to be emptied.
    private let waitingPurges = Mutex<[CheckedContinuation<Bool, any Error>]>([])

    init(
        connection: SQLiteConnection, options: SQLiteOptions, state: SQLState, clock: WallClock, health: StorageHealth,
        relief: LogRelief
    ) {
        self.relief = relief
        queue = CallQueue(limit: options.queueLimit, health: health, refused: options.metrics.refusedWrites)
        thread = WriterThread(connection: connection, options: options, state: state, clock: clock, health: health)
        self.health = health
        Thread.detachNewThread { [self] in run() }
        // Wakes an idle writer to check for changes. A timed wait in the writer itself would follow the wall clock.
        Task.detached { [weak self] in
            while (try? await Task.sleep(for: Self.watchInterval / 2, clock: .continuous)) != nil {
                guard let self, queue.wake() else { return }
            }
        }
    }

    func perform<Value: Sendable>(_ body: @escaping @Sendable (SQLTransaction) throws -> Value) async throws -> Value {
        try await queue.perform(body)
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (SQLTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        queue.perform(body, then: deliver)
    }

    /// Moves the whole write-ahead log into the database and truncates it, between batches. False if a reader was using it.
    func emptyLog() async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            waitingPurges.withLock { $0.append(continuation) }
            // The queue is closed before the thread answers waiting callers for the last time: later ones are answered here.
            if !queue.wake() { resumePurges { throw Failure.unavailable("The server is shutting down.") } }
        }
    }

    private func resumePurges(_ purge: () throws -> Bool) {
        let waiting = waitingPurges.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        guard !waiting.isEmpty else { return }
        let outcome = Result { try purge() }
        for continuation in waiting { continuation.resume(with: outcome) }
    }

    /// The number of calls that wait.
    var waiting: Int { queue.waiting }

    /// See ``CallQueue/longestWait``.
    var longestWait: Duration { queue.longestWait }

    /// See ``CallQueue/stall``.
    var stall: Duration { queue.stall }

    func shutdown() async {
        await queue.close()
    }

    private func run() {
        var version = try? thread.connection.dataVersion()
        var nextLook = ContinuousClock.now + Self.watchInterval
        serve: while true {
            switch queue.next() {
            case .call(let call):
                // Callers that are about to write do so first, and share the commit: each one less saves its pages and an `fsync`.
                sched_yield()
                thread.commit(call, and: queue.waiting, from: queue)
            case .nothing: break
            case .closed: break serve
            }
            checkpointIfDue()
            resumePurges(emptyLog)
            guard ContinuousClock.now >= nextLook else { continue }
            nextLook = ContinuousClock.now + Self.watchInterval
            if let current = try? thread.connection.dataVersion(), current != version {
                version = current
                foreignChanges.add(1, ordering: .relaxed)
            }
        }
        resumePurges { false }
        thread.finish()
        queue.didFinish()
    }

    private func emptyLog() throws -> Bool {
        guard try thread.connection.emptyLog() else { return false }
        relief.didMoveLog(isLarge: false)
        return true
    }

    private func checkpointIfDue() {
        let pages = thread.connection.walPages
        guard thread.options.checkpoints, pages >= Self.checkpointPages else { return }
        do {
            let kept = Int(try thread.connection.checkpoint()) * Self.pageBytes
            let isLarge = Int(pages) * Self.pageBytes >= thread.options.largeLogBytes
            relief.didMoveLog(isLarge: kept > 0 && isLarge || kept >= thread.options.mostKeptLogBytes)
        } catch {
            relief.didMoveLog(isLarge: false)
            health.observe(error)
        }
    }
}

/// The state that only the writer thread accesses.
private final class WriterThread: @unchecked Sendable {
    let connection: SQLiteConnection
    let options: SQLiteOptions
    private let state: SQLState
    private let clock: WallClock
    private let health: StorageHealth

    init(connection: SQLiteConnection, options: SQLiteOptions, state: SQLState, clock: WallClock, health: StorageHealth) {
        self.health = health
        self.connection = connection
        self.options = options
        self.state = state
        self.clock = clock
    }

    /// The bounds of a transaction. The first calls wait for the outcome of all others, and most calls take less than a tenth of a
    /// millisecond.
    private static let longestBatch: Duration = .milliseconds(10)
    private static let largestBatch = 1024

    /// Runs a call, and those that wait behind it as long as the transaction is short, in one transaction; delivers their outcomes after the
    /// commit.
    ///
    /// A call that fails before it has changed anything just fails. One that fails after a change spoils the batch, which is rolled back and
    /// repeated with a savepoint around each call: failures are rare, and savepoints for every call would cost all of them.
    func commit(_ call: any QueuedCall, and waiting: Int, from queue: CallQueue) {
        let lease = state.ids.lease
        let began = ContinuousClock.now
        var batch = [call]
        do {
            if try !attempt(&batch, upTo: min(1 + waiting, Self.largestBatch), from: queue) {
                state.ids.lease = lease
                try repeatWithSavepoints(batch)
            }
            queue.didSucceed()
            options.metrics.didCommit(batch.count, in: .now - began)
            for call in batch { call.deliver() }
        } catch {
            options.metrics.didFail()
            connection.rollBack()
            state.ids.lease = lease
            for call in batch { call.fail(with: error) }
        }
    }

    /// Releases the node number and closes the file.
    func finish() {
        guard state.ids.lease != nil else { return connection.close() }
        _ = try? connection.withImmediateTransaction {
            try SQLTransaction(connection: connection, state: state, now: clock.now()).releaseNode()
            return true
        }
        connection.close()
    }

    /// Runs the call in `batch` and the next ones of the queue, which are added to it. False if all were rolled back because one failed after
    /// a change.
    private func attempt(_ batch: inout [any QueuedCall], upTo count: Int, from queue: CallQueue) throws -> Bool {
        let end = ContinuousClock.now + Self.longestBatch
        return try inTransaction { transaction in
            var (position, changes) = (0, connection.totalChanges)
            while position < batch.count {
                if !batch[position].run(transaction), connection.totalChanges != changes { return false }
                try requireTransaction()
                changes = connection.totalChanges
                position += 1
                if position < count, ContinuousClock.now < end, let call = queue.poll() { batch.append(call) }
            }
            return true
        }
    }

    private func repeatWithSavepoints(_ batch: [any QueuedCall]) throws {
        _ = try inTransaction { transaction in
            for call in batch {
                try runInSavepoint(call, transaction)
                try requireTransaction()
            }
            return true
        }
    }

    /// Runs a closure in a transaction, which is committed if it returns true, and otherwise rolled back.
    private func inTransaction(_ body: (SQLTransaction) throws -> Bool) throws -> Bool {
        try connection.beginWriting()
        let changesBefore = connection.totalChanges
        let transaction = SQLTransaction(connection: connection, state: state, now: clock.now())
        guard try body(transaction) else {
            connection.rollBack()
            return false
        }
        try connection.commit()
        if connection.totalChanges != changesBefore { health.didWrite() }
        transaction.didCommit()
        return true
    }

    /// A full or failing disk ends the whole transaction, not just the statement.
    private func requireTransaction() throws {
        guard connection.isInTransaction else { throw Failure.unavailable("The database cannot be written to disk.") }
    }

    private func runInSavepoint(_ call: any QueuedCall, _ transaction: SQLTransaction) throws {
        let mark = transaction.mark
        try connection.execute("SAVEPOINT queued_call")
        if !call.run(transaction) {
            try connection.execute("ROLLBACK TO queued_call")
            transaction.rollBack(to: mark)
        }
        try connection.execute("RELEASE queued_call")
    }
}
