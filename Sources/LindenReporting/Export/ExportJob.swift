import Foundation
import Linden
import LindenKernel

/// An ordered export that is fetched later (Branch's custom exports).
package struct ExportJob: Sendable {
    package typealias ID = Identifier<ExportJob>

    package enum State: Int64, Sendable {
        case running = 0
        case complete = 1
        case failed = 2
    }

    package let id: ID
    /// The public id of the job: a UUID.
    package let handle: String
    package let scope: Scope
    /// The requested export, see ``ExportRequest/json``; in a list of jobs without its fields and filter, which may be long.
    package let request: JSON
    package var state: State
    /// The number of rows so far and the last id that the export covers, from which a later turn continues; both are final when the job is
    /// complete.
    package var rows: Int64
    package var through: Int64
    package var schedule: JobState
    /// The reason why a job failed, a sentence; nil for other jobs.
    package var failure: String?

    package init(
        id: ID, handle: String, scope: Scope, request: JSON, state: State = .running, rows: Int64 = 0, through: Int64 = 0,
        schedule: JobState, failure: String? = nil
    ) {
        self.schedule = schedule
        self.failure = failure
        self.id = id
        self.handle = handle
        self.scope = scope
        self.request = request
        self.state = state
        self.rows = rows
        self.through = through
    }
}

package protocol ExportJobReader {
    func exportJob(_ handle: String) throws -> ExportJob?
    /// Returns the oldest running job of each app that is due at a time, oldest first.
    func exportJobs(dueAt time: Timestamp) throws -> [ExportJob]
    /// Returns the latest jobs of one side of an app, newest first, without the fields and filters of their requests.
    func exportJobs(of scope: Scope, limit: Int) throws -> [ExportJob]
    func exportJobs(startedSince time: Timestamp, in app: App.ID) throws -> Int
    /// Returns the number of an app's jobs that wait or run.
    func queuedExportJobs(in app: App.ID) throws -> Int
    /// Returns the number of all jobs that wait or run.
    func queuedExportJobs() throws -> Int
}

package protocol ExportJobRepository: ExportJobReader {
    func insert(_ job: ExportJob) throws
    /// Claims a job for one turn and postpones the next. False if another process claimed it first.
    func claim(_ job: ExportJob, until next: Timestamp) throws -> Bool
    /// Stores a job, unless another process has claimed it since the claim by which it ran.
    func update(_ job: ExportJob, claimed: JobState) throws
    func deleteExportJobs(before time: Timestamp, limit: Int) throws
}

extension ExportRequest {
    /// The request as stored with a job.
    var json: JSON {
        [
            "topic": .string(topic.rawValue), "from": .integer(range.from.milliseconds), "to": .integer(range.to.milliseconds),
            "fields": JSON(columns.map(\.name)), "format": .string(format.rawValue), "limit": .integer(limit),
            "timezone": JSON(timeZone?.identifier), "gzip": .bool(isGzipped),
            "filter": filter?.json ?? .null,
        ]
    }

    init(json: JSON, scope: Scope) throws {
        let members = json.object ?? [:]
        self.init(
            scope: scope, topic: try ExportTopic(named: members.required("topic") { $0.string }),
            range: try ExportRange(
                from: Timestamp(milliseconds: members.required("from") { $0.int64 }),
                to: Timestamp(milliseconds: members.required("to") { $0.int64 })))
        let names = try members.required("fields") { value in value.array.map { $0.compactMap(\.string) } }
        guard names.count == members["fields"]?.array?.count else { throw MemberError(name: "fields") }
        columns = try ExportColumn.columns(named: names, of: topic)
        format = try members.required("format") { value in value.string.flatMap { ExportFormat(rawValue: $0) } }
        limit = try members.required("limit") { $0.int64 }
        let zone =
            members["timezone"] == .null
            ? nil : try members.required("timezone") { value in value.string.flatMap { TimeZone(identifier: $0) } }
        times = .branch(in: zone)
        isGzipped = try members.required("gzip") { $0.bool }
        filter = try members["filter"].flatMap { $0.isNull ? nil : try ExportFilter($0, of: topic, zone: zone ?? .gmt) }
    }

    /// Nil for UTC.
    private var timeZone: TimeZone? { if case .branch(let zone) = times { zone } else { nil } }
}

extension ExportRequest {
    /// - Parameter json: the members of ``json``.
    fileprivate static func fileSuffix(_ json: JSONObject) -> String {
        (json["format"]?.string == ExportFormat.csv.rawValue ? "csv" : "json") + (json["gzip"] == true ? ".gz" : "")
    }
}

extension ExportService {
    /// Orders an export, which ``runJobs()`` prepares. Fails with `rateLimited` beyond the app's ``OrderLimits``.
    package func order(_ request: ExportRequest) async throws -> ExportJob {
        let (json, handle) = (request.json, random.uuid())
        return try await storage.write { [limits] transaction in
            let (app, now) = (request.scope.app, transaction.now)
            try limits.checkExports(
                queued: try transaction.queuedExportJobs(in: app),
                today: try transaction.exportJobs(startedSince: now.startOfDay, in: app), at: now)
            let job = ExportJob(
                id: try transaction.newID(), handle: handle, scope: request.scope, request: json, schedule: JobState(dueAt: now))
            try transaction.insert(job)
            return job
        }
    }

    /// The maximum number of jobs of a list.
    package static let mostListed = 200

    /// Returns the latest jobs of one side of an app, newest first, without the fields and filters of their requests.
    package func jobs(of scope: Scope, limit: Int) async throws -> [ExportJob] {
        try await storage.analyze(scope) { try $0.exportJobs(of: scope, limit: limit) }
    }

    /// Returns a job of an app. Fails with `notFound` if the app has no such job.
    package func job(_ handle: String, of app: App.ID) async throws -> ExportJob {
        guard let job = try await storage.read({ try $0.exportJob(handle) }), job.scope.app == app else {
            throw Failure.notFound("There is no export job \(handle) of this app.")
        }
        return job
    }

    /// Returns a complete job's file, which can be downloaded as long as the job is kept.
    package func signedFile(of job: ExportJob) async throws -> SignedFile {
        let expires = job.id.time + .seconds(Self.downloadDays * 86400)
        let suffix = ExportRequest.fileSuffix(job.request.object ?? [:])
        let signature = key.signature(
            of: "job \(job.handle) \(suffix) \(expires.milliseconds)",
            generation: try await storage.urlGeneration(of: job.scope.app))
        return signedFile("\(job.handle)-\(signature).\(suffix)", expiresAt: expires, .live)
    }

    /// Returns the file of a subject request.
    package func signedFile(ofPerson handle: String, of app: App.ID, expiresAt: Timestamp) async throws -> SignedFile {
        let signature = key.signature(
            of: "person \(handle) \(expiresAt.milliseconds)", generation: try await storage.urlGeneration(of: app))
        return signedFile("person-\(handle)-\(signature).csv", expiresAt: expiresAt, .live)
    }

    /// Returns the handle of the subject request that an address belongs to; nil for the address of another file.
    func personDownload(_ name: String, _ expires: Timestamp, at now: Timestamp) async throws -> String? {
        guard let match = name.wholeMatch(of: /person-([0-9a-f-]{36})-([0-9a-f]{64})\.csv/) else { return nil }
        let handle = String(match.1)
        guard let request = try await storage.read({ try $0.subjectRequest(handle) }) else { throw Failure.forgedDownload }
        let generation = try await storage.urlGeneration(of: request.scope.app)
        guard key.isValid(String(match.2), of: "person \(handle) \(expires.milliseconds)", generation: generation) else {
            throw Failure.forgedDownload
        }
        guard now < expires else { throw Failure.expiredDownload }
        return handle
    }

    func jobDownload(_ name: String, _ expires: Timestamp, at now: Timestamp) async throws -> ExportDownload {
        guard let match = name.wholeMatch(of: /([0-9a-f-]{36})-([0-9a-f]{64})\.(csv|json|csv\.gz|json\.gz)/) else {
            throw Failure.noSuchDownload
        }
        let (handle, suffix) = (String(match.1), String(match.3))
        // The signing key depends on the app, which only the job names.
        guard let job = try await storage.read({ try $0.exportJob(handle) }) else { throw Failure.noSuchDownload }
        let generation = try await storage.urlGeneration(of: job.scope.app)
        guard key.isValid(String(match.2), of: "job \(handle) \(suffix) \(expires.milliseconds)", generation: generation) else {
            throw Failure.forgedDownload
        }
        guard now < expires else { throw Failure.expiredDownload }
        guard job.state == .complete else { throw Failure.noSuchDownload }
        var request = try ExportRequest(json: job.request, scope: job.scope)
        request.through = job.through
        return ExportDownload(name: name, content: .rows(request), isGzipped: request.isGzipped)
    }

    /// Runs all ordered jobs: determines the number of rows of each export and where it ends. The file is generated by each download, so
    /// none is stored. To be called about once a second.
    package func runJobs() async throws {
        while try await runRound() {}
    }

    /// Gives the oldest job of each app one turn, so that an app's long job does not delay those of other apps.
    ///
    /// - Parameter page: the size of the pages to read, of which a turn has at most ``pagesPerTurn``.
    /// - Returns: false if there was no job, or the task is cancelled.
    package func runRound(page: ExportPageLimit = ExportPageLimit()) async throws -> Bool {
        try await JobRunner(ExportQueue(exports: self, page: page)).runRound()
    }

    /// The maximum number of pages that a job reads before the next app's turn.
    package static let pagesPerTurn = 8
}
