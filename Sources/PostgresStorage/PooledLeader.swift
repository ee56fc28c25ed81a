import Foundation
import LindenKernel
import Synchronization

/// The lock of the leader of all servers where a pooler shares sessions between them: it is held by a transaction that stays open, whose session
/// a pooler leaves to this process. It reads and writes nothing, so it does not keep vacuum from its work.
///
/// It has a thread of its own, because PostgreSQL ends the transaction if it is not used for some seconds, and the writer may wait longer
/// for its turn.
final class PooledLeader: @unchecked Sendable {
    private static let interval = 0.25
    /// The time for which the lock is surely held after a statement of its transaction began: less than ``PostgresSession/mostIdle``, after
    /// which the database ends a transaction that it hears nothing of, however long this side waits for an answer.
    private static let surelyHeld: Duration = .seconds(8)

    /// Used by the thread alone.
    private let connection: PostgresConnection
    private let clock: WriterClock
    /// The milliseconds from ``start`` until which the lock is surely held; 0 if it is not.
    private let heldUntil = Atomic<Int64>(0)
    private let start = ContinuousClock.now
    private let isStopping = Atomic<Bool>(false)
    private let hasStopped = Atomic<Bool>(false)

    init(_ session: PostgresSession, _ clock: WriterClock) throws {
        self.clock = clock
        connection = try PostgresConnection(session)
        Thread.detachNewThread { [self] in
            while !isStopping.load(ordering: .relaxed) {
                let end = (start.duration(to: .now) + Self.surelyHeld).inMilliseconds
                heldUntil.store(hold() ? end : 0, ordering: .relaxed)
                Thread.sleep(forTimeInterval: Self.interval)
            }
            connection.close()
            hasStopped.store(true, ordering: .relaxed)
        }
    }

    var isLeader: Bool { start.duration(to: .now).inMilliseconds < heldUntil.load(ordering: .relaxed) }

    /// Releases the lock.
    func shutdown() async {
        heldUntil.store(0, ordering: .relaxed)
        isStopping.store(true, ordering: .relaxed)
        while !hasStopped.load(ordering: .relaxed) { try? await Task.sleep(for: .milliseconds(10)) }
    }

    /// Takes the lock, or uses the transaction that holds it. False if another server has it, or is to have it because this machine's clock is
    /// wrong.
    private func hold() -> Bool {
        do {
            if connection.isInTransaction {
                try compare(connection.run("SELECT \(PostgresTurn.time)").first)
                return true
            }
            // A standby has locks of its own.
            let row = try connection.begin(
                "BEGIN READ WRITE", then: "SELECT pg_try_advisory_xact_lock(\(PostgresSession.leaderLock)), \(PostgresTurn.time)")
            try compare(row.text(1))
            if row.first == "t" { return true }
        } catch {
            // The writer says in the log that the database cannot be reached, or that the clock is wrong.
        }
        connection.rollBack()
        return false
    }

    private func compare(_ time: String?) throws {
        if let time = time.flatMap(Int64.init) { try clock.compare(with: Timestamp(milliseconds: time)) }
    }
}
