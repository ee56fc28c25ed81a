import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func exportJob(_ handle: String) throws -> ExportJob? {
        try connection.first("SELECT \(raw: ExportJob.columns) FROM export_jobs WHERE handle = \(handle)", ExportJob.init(row:))
    }

    package func exportJobs(dueAt time: Timestamp) throws -> [ExportJob] {
        try connection.query(
            """
            SELECT \(raw: ExportJob.columns) FROM export_jobs
            WHERE id IN (
                SELECT MIN(id) FROM export_jobs
                WHERE state = \(ExportJob.State.running.rawValue) AND due_at <= \(time) GROUP BY app_id)
            ORDER BY id
            """, ExportJob.init(row:))
    }

    package func exportJobs(of scope: Scope, limit: Int) throws -> [ExportJob] {
        var jobs: [ExportJob] = []
        // Read one by one, so that a single request is in memory as a whole.
        try connection.read(
            """
            SELECT \(raw: ExportJob.columns) FROM export_jobs WHERE app_id = \(scope.app) AND mode = \(scope.mode)
            ORDER BY id DESC LIMIT \(limit)
            """
        ) { row in
            jobs.append(try ExportJob(row: row) { .object(($0.object ?? [:]).without(["fields", "filter"])) })
            return true
        }
        return jobs
    }

    package func exportJobs(startedSince time: Timestamp, in app: App.ID) throws -> Int {
        try connection.first(
            "SELECT COUNT(*) FROM export_jobs WHERE id >= \(IDGenerator.first(at: time)) AND app_id = \(app)"
        ) { Int($0.integer(0)) } ?? 0
    }

    package func queuedExportJobs(in app: App.ID) throws -> Int {
        try connection.first(
            "SELECT COUNT(*) FROM export_jobs WHERE state = \(ExportJob.State.running.rawValue) AND app_id = \(app)"
        ) { Int($0.integer(0)) } ?? 0
    }

    package func queuedExportJobs() throws -> Int {
        try connection.first("SELECT COUNT(*) FROM export_jobs WHERE state = \(ExportJob.State.running.rawValue)") {
            Int($0.integer(0))
        } ?? 0
    }

    package func insert(_ job: ExportJob) throws {
        try connection.execute(
            """
            INSERT INTO export_jobs (id, handle, app_id, mode, request, state, row_count, through_id, attempts, due_at)
            VALUES (\(job.id), \(job.handle), \(job.scope.app), \(job.scope.mode), \(job.request), \(job.state.rawValue), \(job.rows),
                \(job.through), \(job.schedule.attempts), \(job.schedule.dueAt))
            """)
    }

    package func claim(_ job: ExportJob, until next: Timestamp) throws -> Bool {
        try claimJob(job.id.rawValue, by: "id", in: "export_jobs", job.schedule, until: next)
    }

    package func update(_ job: ExportJob, claimed: JobState) throws {
        try connection.execute(
            """
            UPDATE export_jobs SET state = \(job.state.rawValue), row_count = \(job.rows), through_id = \(job.through),
                attempts = \(job.schedule.attempts), due_at = \(job.schedule.dueAt), failure = \(job.failure)
            WHERE id = \(job.id) AND attempts = \(claimed.attempts) AND due_at = \(claimed.dueAt)
            """)
    }

    package func deleteExportJobs(before time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM export_jobs
            WHERE id IN (SELECT id FROM export_jobs WHERE id < \(IDGenerator.first(at: time)) ORDER BY id LIMIT \(limit))
            """)
    }
}

extension ExportJob {
    fileprivate static let columns: StaticString = """
        id, handle, app_id, mode, request, state, row_count, through_id, attempts, due_at, failure
        """

    fileprivate init(row: any SQLRow) throws { try self.init(row: row) { $0 } }

    /// - Parameter kept: returns the part of the request that is kept.
    fileprivate init(row: any SQLRow, keeping kept: (JSON) -> JSON) throws {
        self.init(
            id: row.id(0), handle: row.text(1), scope: row.scope(2), request: kept(try JSON.parse(row.text(4))),
            state: State(rawValue: row.integer(5)) ?? .failed, rows: row.integer(6), through: row.integer(7),
            schedule: row.jobState(8), failure: row.optionalText(10))
    }
}
