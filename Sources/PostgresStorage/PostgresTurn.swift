import LindenKernel

/// A write transaction's turn. Writers of all processes wait for each other, as on SQLite, by an advisory lock that ends with the
/// transaction.
///
/// Under the lock, the sequence `newest_ids` has the newest id of all processes, so that ids increase over all of them, whatever their
/// clocks say, and become visible in their order. A sequence is not rolled back, which only leaves a gap. The one row of `revisions`
/// counts the transactions that changed what processes cache; others do not update it, because each update leaves a dead row.
package struct PostgresTurn {
    /// The key of the lock: a number beside that of ``PostgresSession/leaderLock``, with a hash of the schema.
    package static let lock = "1281978981, hashtext(COALESCE(current_schema(), ''))"
    /// SQLSTATE of a turn that was not granted within the session's `lock_timeout`.
    static let refused = "55P03"

    /// The number of changes of cached values so far.
    let revision: Int64
    /// The newest id that any process has made.
    let newestID: Int64
    /// What distinguishes the server of PostgreSQL from another one, and from itself after a start.
    let server: String

    /// The time of its machine, once no other writer had a turn.
    let databaseTime: Timestamp

    /// Begins a write transaction once no other writer has one. The last statement sees what the writer before has committed.
    init(_ connection: PostgresConnection) throws {
        let row = try connection.begin(
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
            then: """
                SELECT pg_advisory_xact_lock(\(Self.lock));
                SELECT revision, last_value, \(Self.startTime), \(Self.time) FROM revisions, newest_ids
                """)
        guard let revision = row.text(0).flatMap(Int64.init), let newestID = row.text(1).flatMap(Int64.init),
            let time = row.text(3).flatMap(Int64.init)
        else {
            throw Failure.unavailable("The database has lost the row of its table revisions.")
        }
        self.revision = revision
        self.newestID = newestID
        server = row.text(2) ?? ""
        databaseTime = Timestamp(milliseconds: time)
    }

    /// Commits the transaction.
    ///
    /// - Parameter id: the newest id that this process has made.
    /// - Returns: the number of changes of cached values so far.
    @discardableResult
    func commit(_ connection: PostgresConnection, newestID id: Int64 = 0) throws -> Int64? {
        let newest = id > newestID ? ", setval('newest_ids', \(id))" : ""
        return try connection.commit(after: "SELECT revision\(newest) FROM revisions").flatMap { Int64($0) }
    }

    /// The number of changes of cached values so far, the server and its time, without a turn. Closes a connection behind which a pooler has replaced
    /// the primary by a standby.
    static func state(_ connection: PostgresConnection) throws -> (revision: Int64?, server: String?, time: Timestamp?) {
        let row = try connection.run("SELECT revision, \(startTime), \(time), pg_is_in_recovery() FROM revisions")
        guard row.text(3) != "t" else {
            connection.close()
            throw PostgresError(state: PostgresError.readOnly, message: "the session is that of a standby")
        }
        let time = row.text(2).flatMap(Int64.init).map { Timestamp(milliseconds: $0) }
        return (row.first.flatMap { Int64($0) }, row.text(1), time)
    }

    /// The present time as an expression of SQL, in milliseconds since 1970.
    static let time = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"
    private static let startTime = "extract(epoch FROM pg_postmaster_start_time())"

    /// Ends the session that has the turn if PostgreSQL has waited longer than a limit for its process, which is stopped or cut off.
    /// One whose statement runs, or whose commit waits for a standby, is left alone.
    ///
    /// - Returns: whether there was one.
    static func endStalled(_ connection: PostgresConnection, after limit: Duration) throws -> Bool {
        let ended = try connection.run(
            """
            SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid),
                (SELECT \(lock)) AS key (kind, schema)
            WHERE locktype = 'advisory' AND granted AND objsubid = 2 AND classid = CAST(kind AS OID) AND objid = CAST(schema AS OID)
                AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND (state LIKE 'idle in transaction%' OR state = 'active' AND wait_event_type = 'Client')
                AND state_change < clock_timestamp() - INTERVAL '\(limit.inMilliseconds) milliseconds'
            """)
        return ended.first == "t"
    }
}
