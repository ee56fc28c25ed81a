import Crypto
import Foundation

/// A report that was ordered and is fetched later. Its file is written when it is fetched, so none lies about.
package struct ReportJob: Sendable {
    package typealias ID = Identifier<ReportJob>

    package enum Kind: String, Sendable {
        case aggregate
        case crossEvents = "cross_events"
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
    private let key: SymmetricKey

    init(storage: any Storage, baseURL: BaseURL, installationKey: InstallationKey, clock: WallClock, random: RandomSource) {
        self.storage = storage
        self.baseURL = baseURL
        self.clock = clock
        self.random = random
        key = SymmetricKey(data: Array(("report downloads " + installationKey.text).utf8))
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
            try transaction.deleteReportJobs(before: transaction.now - .seconds(86400 * Self.days))
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

    /// Where a job's file is fetched.
    package func url(of job: ReportJob) -> String {
        let expires = clock.now() + .seconds(86400 * Self.days)
        let name = job.handle + "." + job.format.rawValue
        return baseURL.text + Self.path + name + "?expires=\(expires.milliseconds)&signature=" + signature(name, expires)
    }

    /// The job behind an address. Fails with `forbidden` for one that this server did not give out or that has expired.
    package func job(file name: String, expires: String?, signature: String?) async throws -> ReportJob {
        guard let expires = expires.flatMap({ Int64($0) }).map(Timestamp.init(milliseconds:)), let signature,
            Self.isSame(signature, self.signature(name, expires))
        else {
            throw Failure(.forbidden, "This address is not one that the server gave out; ask for the job's state again.")
        }
        guard clock.now() < expires else { throw Failure(.forbidden, "This address has expired; ask for the job's state again.") }
        let handle = name.prefix { $0 != "." }
        guard let job = try await storage.read({ try $0.reportJob(String(handle)) }) else {
            throw Failure.notFound("There is no such report any more; order it again.")
        }
        return job
    }

    private func signature(_ name: String, _ expires: Timestamp) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array("\(name) \(expires.milliseconds)".utf8), using: key)
        return code.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Takes as long for what is nearly right as for anything else.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
