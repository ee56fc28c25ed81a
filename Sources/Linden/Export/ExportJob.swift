import Foundation

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
    /// The requested export, see ``ExportRequest/json``.
    package let request: JSON
    package var state: State
    /// The number of rows so far and the last id that the export covers, from which a later turn continues; both are final when the job is
    /// complete.
    package var rows: Int64
    package var through: Int64

    package init(
        id: ID, handle: String, scope: Scope, request: JSON, state: State = .running, rows: Int64 = 0, through: Int64 = 0
    ) {
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
    /// Returns the oldest running job of each app, oldest first.
    func nextExportJobs() throws -> [ExportJob]
    func exportJobs(startedSince time: Timestamp, in app: App.ID) throws -> Int
    /// Returns the number of an app's jobs that wait or run.
    func queuedExportJobs(in app: App.ID) throws -> Int
}

package protocol ExportJobRepository: ExportJobReader {
    func insert(_ job: ExportJob) throws
    func update(_ job: ExportJob) throws
    func deleteExportJobs(before time: Timestamp) throws
}

extension ExportRequest {
    /// The request as stored with a job.
    var json: JSON {
        [
            "topic": .string(topic.rawValue), "from": .integer(range.from.milliseconds), "to": .integer(range.to.milliseconds),
            "fields": JSON(columns.map(\.name)), "format": .string(format.rawValue), "limit": .integer(limit),
            "timezone": JSON(timeZone?.identifier), "gzip": .bool(isPacked),
            "filter": filter?.json ?? .null,
        ]
    }

    init(json: JSON, scope: Scope) throws {
        let members = json.object ?? [:]
        self.init(
            scope: scope, topic: try ExportTopic(named: members["topic"]?.string ?? ""),
            range: try ExportRange(
                from: Timestamp(milliseconds: members["from"]?.int64 ?? 0), to: Timestamp(milliseconds: members["to"]?.int64 ?? 0)))
        columns = try ExportColumn.columns(named: members["fields"]?.array?.compactMap(\.string) ?? [], of: topic)
        format = members["format"]?.string.flatMap(ExportFormat.init) ?? .csv
        limit = members["limit"]?.int64 ?? .max
        let zone = members["timezone"]?.string.flatMap(TimeZone.init(identifier:))
        times = .branch(in: zone)
        isPacked = members["gzip"] == true
        filter = try members["filter"].flatMap { $0.isNull ? nil : try ExportFilter($0, of: topic, zone: zone ?? .gmt) }
    }

    /// Nil for UTC.
    private var timeZone: TimeZone? { if case .branch(let zone) = times { zone } else { nil } }
}

extension ExportRequest {
    fileprivate var fileSuffix: String { (format == .csv ? "csv" : "json") + (isPacked ? ".gz" : "") }
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
            let job = ExportJob(id: try transaction.newID(), handle: handle, scope: request.scope, request: json)
            try transaction.insert(job)
            return job
        }
    }

    /// Returns a job of an app. Fails with `notFound` if the app has no such job.
    package func job(_ handle: String, of app: App.ID) async throws -> ExportJob {
        guard let job = try await storage.read({ try $0.exportJob(handle) }), job.scope.app == app else {
            throw Failure.notFound("There is no export job \(handle) of this app.")
        }
        return job
    }

    /// Returns the signed address of a complete job's file, which is valid as long as the job is kept.
    package func url(of job: ExportJob) async throws -> String {
        let expires = job.id.time + .seconds(Self.downloadDays * 86400)
        let suffix = try ExportRequest(json: job.request, scope: job.scope).fileSuffix
        let signature = key.signature(
            of: "job \(job.handle) \(suffix) \(expires.milliseconds)",
            generation: try await storage.addressGeneration(of: job.scope.app))
        return address("\(job.handle)-\(signature).\(suffix)", expiresAt: expires, .live)
    }

    /// Returns the signed address of the file of a subject request.
    func url(ofPerson handle: String, of app: App.ID, expiresAt: Timestamp) async throws -> String {
        let signature = key.signature(
            of: "person \(handle) \(expiresAt.milliseconds)", generation: try await storage.addressGeneration(of: app))
        return address("person-\(handle)-\(signature).csv", expiresAt: expiresAt, .live)
    }

    /// Returns the handle of the subject request that an address belongs to; nil for the address of another file.
    func personDownload(_ name: String, _ expires: Timestamp, at now: Timestamp) async throws -> String? {
        guard let match = name.wholeMatch(of: /person-([0-9a-f-]{36})-([0-9a-f]{64})\.csv/) else { return nil }
        let handle = String(match.1)
        guard let request = try await storage.read({ try $0.subjectRequest(handle) }) else { throw Failure.forgedDownload }
        let generation = try await storage.addressGeneration(of: request.scope.app)
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
        let generation = try await storage.addressGeneration(of: job.scope.app)
        guard key.isValid(String(match.2), of: "job \(handle) \(suffix) \(expires.milliseconds)", generation: generation) else {
            throw Failure.forgedDownload
        }
        guard now < expires else { throw Failure.expiredDownload }
        guard job.state == .complete else { throw Failure.noSuchDownload }
        var request = try ExportRequest(json: job.request, scope: job.scope)
        request.through = job.through
        return ExportDownload(name: name, content: .rows(request), isPacked: request.isPacked)
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
        let jobs = try await storage.read { try $0.nextExportJobs() }
        for job in jobs {
            guard !Task.isCancelled else { return false }
            try await advance(job, page)
        }
        return !jobs.isEmpty && !Task.isCancelled
    }

    /// The maximum number of pages that a job reads before the next app's turn.
    package static let pagesPerTurn = 8

    private func advance(_ job: ExportJob, _ page: ExportPageLimit) async throws {
        var advanced = job
        do {
            var cursor = try await begin(try ExportRequest(json: job.request, scope: job.scope), page: page)
            cursor.resume(at: ExportCheckpoint(id: job.through), rows: job.rows)
            var isDone = false
            for _ in 0..<Self.pagesPerTurn where !isDone {
                try Task.checkCancellation()
                isDone = try await cursor.nextRecords() == nil
            }
            (advanced.rows, advanced.through) = (cursor.rows, cursor.checkpoint.id)
            if isDone { advanced.state = .complete }
        } catch is CancellationError {
            return
        } catch let failure as Failure where failure.code == .unavailable {
            throw failure
        } catch {
            // A retry would fail again and block the jobs behind it.
            advanced.state = .failed
        }
        try await storage.write { [advanced] in try $0.update(advanced) }
    }
}

extension RandomSource {
    /// Returns a random UUID (RFC 9562, version 4) in lower case.
    func uuid() -> String {
        let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = [high, low].map { String(repeating: "0", count: $0.leadingZeroBitCount / 4) + String($0, radix: 16) }.joined()
        var text = digits.prefix(8)
        for (from, count) in [(8, 4), (12, 4), (16, 4), (20, 12)] { text += "-" + digits.dropFirst(from).prefix(count) }
        return String(text)
    }
}
