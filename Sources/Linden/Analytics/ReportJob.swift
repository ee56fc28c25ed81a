/// A report that was ordered and is fetched later. Its file is written when it is fetched, so none lies about.
package struct ReportJob: Sendable {
    package typealias ID = Identifier<ReportJob>

    package enum Kind: String, Sendable {
        case aggregate
        case crossEvents = "cross_events"
        case cohort
    }

    package enum Format: String, Sendable {
        case csv, json
    }

    package let id: ID
    /// By which its owner knows it.
    package let handle: String
    package let scope: Scope
    package let kind: Kind
    package let format: Format
    package let limit: Int?
    /// As it was asked for.
    package let body: JSONObject

    package init(id: ID, handle: String, scope: Scope, kind: Kind, format: Format, limit: Int?, body: JSONObject) {
        self.id = id
        self.handle = handle
        self.scope = scope
        self.kind = kind
        self.format = format
        self.limit = limit
        self.body = body
    }

    /// What came later is not in it.
    package var settledUntil: Timestamp { id.time - .seconds(2) }
}

package protocol ReportJobReader {
    func reportJob(_ handle: String) throws -> ReportJob?
    func reportJobs(orderedSince time: Timestamp, for app: App.ID) throws -> Int
}

package protocol ReportJobRepository: ReportJobReader {
    func insert(_ job: ReportJob) throws
    func deleteReportJobs(before time: Timestamp) throws
}

/// Takes orders for reports and gives out where they are fetched: under signed addresses, for seven days.
package struct ReportService: Sendable {
    private static let days: Int64 = 7
    private static let jobsPerHour = 150
    package static let path = "/api/v1/analytics/reports/"

    private let storage: any Storage
    private let baseURL: BaseURL
    private let clock: WallClock
    private let random: RandomSource
    private let key: DownloadKey

    init(storage: any Storage, baseURL: BaseURL, installationKey: InstallationKey, clock: WallClock, random: RandomSource) {
        self.storage = storage
        self.baseURL = baseURL
        self.clock = clock
        self.random = random
        key = DownloadKey(installationKey)
    }

    /// Fails with `rateLimited` where an app has ordered 150 reports within the hour (Branch, Aggregate API, "Limitations").
    package func order(
        _ kind: ReportJob.Kind, _ body: JSONObject, format: ReportJob.Format, limit: Int?, scope: Scope
    ) async throws -> ReportJob {
        let handle = random.alphanumerics(24)
        return try await storage.write { transaction in
            guard try transaction.reportJobs(orderedSince: transaction.now - .seconds(3600), for: scope.app) < Self.jobsPerHour
            else {
                throw Failure(.rateLimited, "An app may order \(Self.jobsPerHour) reports in an hour.")
            }
            let job = ReportJob(
                id: try transaction.newID(), handle: handle, scope: scope, kind: kind, format: format, limit: limit, body: body)
            try transaction.insert(job)
            return job
        }
    }

    /// Fails with `notFound`.
    package func job(_ handle: String, of app: App.ID) async throws -> ReportJob {
        guard let job = try await storage.read({ try $0.reportJob(handle) }), job.scope.app == app else {
            throw Failure.notFound("This app has no such job; one is kept for \(Self.days) days.")
        }
        return job
    }

    /// Where a job's file is fetched, as long as the job is kept.
    package func url(of job: ReportJob) async throws -> String {
        let expires = job.id.time + .seconds(86400 * Self.days)
        let name = job.handle + "." + job.format.rawValue
        let signature = key.signature(
            of: Self.signed(name, expires), generation: try await storage.addressGeneration(of: job.scope.app))
        return baseURL.text + Self.path + name + "?expires=\(expires.milliseconds)&signature=" + signature
    }

    /// The job behind an address. Fails with `forbidden` for one that this server did not give out, that was revoked or that has expired.
    package func job(file name: String, expires: String?, signature: String?) async throws -> ReportJob {
        let forged = Failure(
            .forbidden, "This address is not one that the server gave out, or it was revoked; ask for the job's state again.")
        guard let expires = expires.flatMap({ Int64($0) }).map(Timestamp.init(milliseconds:)), let signature else { throw forged }
        // Which app's it is, and so by what it is signed, is in the job.
        let handle = name.prefix { $0 != "." }
        guard let job = try await storage.read({ try $0.reportJob(String(handle)) }) else {
            throw Failure.notFound("There is no such report any more; order it again.")
        }
        let generation = try await storage.addressGeneration(of: job.scope.app)
        guard key.isValid(signature, of: Self.signed(name, expires), generation: generation) else { throw forged }
        guard clock.now() < expires else { throw Failure(.forbidden, "This address has expired; ask for the job's state again.") }
        return job
    }

    /// Exports sign other texts with the same key.
    private static func signed(_ name: String, _ expires: Timestamp) -> String { "report \(name) \(expires.milliseconds)" }
}
