import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func reportJob(_ handle: String) throws -> ReportJob? {
        try connection.first("SELECT id, handle, app_id, mode, request FROM report_jobs WHERE handle = \(handle)") { row in
            let request = try row.object(4)
            return ReportJob(
                id: row.id(0), handle: row.text(1), scope: row.scope(2),
                kind: try request.required("kind") { $0.string.flatMap { ReportJob.Kind(rawValue: $0) } },
                format: try request.required("format") { $0.string.flatMap { ReportJob.Format(rawValue: $0) } },
                limit: request["limit"] == .null ? nil : try request.required("limit") { $0.int64.map { Int($0) } },
                body: try request.required("body") { $0.object })
        }
    }

    package func reportJobs(orderedSince time: Timestamp, for app: App.ID) throws -> Int {
        try connection.first("SELECT COUNT(*) FROM report_jobs WHERE id >= \(IDGenerator.first(at: time)) AND app_id = \(app)") {
            Int($0.integer(0))
        } ?? 0
    }

    package func insert(_ job: ReportJob) throws {
        let request: JSON = [
            "kind": .string(job.kind.rawValue), "format": .string(job.format.rawValue),
            "limit": job.limit.map { .integer(Int64($0)) } ?? .null, "body": .object(job.body),
        ]
        try connection.execute(
            """
            INSERT INTO report_jobs (id, handle, app_id, mode, request)
            VALUES (\(job.id), \(job.handle), \(job.scope.app), \(job.scope.mode), \(request))
            """)
    }

    package func deleteReportJobs(before time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            DELETE FROM report_jobs
            WHERE id IN (SELECT id FROM report_jobs WHERE id < \(IDGenerator.first(at: time)) ORDER BY id LIMIT \(limit))
            """)
    }
}
