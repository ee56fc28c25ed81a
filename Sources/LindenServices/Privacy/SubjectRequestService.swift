import Linden
import LindenKernel
import LindenReporting

/// A service that accepts and processes requests of data subjects.
package struct SubjectRequestService: Sendable {
    private let storage: any Database
    private let publicIDs: PublicIDs
    private let people: IdentityDataService
    private let exports: ExportService
    private let rows = PersonalRowLimit()
    private let erasures: JobRunner<ErasureQueue>
    private var subjects: SubjectFinder { SubjectFinder(storage: storage, publicIDs: publicIDs) }

    /// - Parameter purgePause: the time after which a failed purge of the database's log is tried again: each attempt delays all other writes.
    package init(
        storage: any Database, people: IdentityDataService, publicIDs: PublicIDs, exports: ExportService,
        purgePause: Duration = .seconds(15)
    ) {
        self.storage = storage
        erasures = JobRunner(ErasureQueue(storage: storage, people: people, publicIDs: publicIDs, purgePause: purgePause))
        self.publicIDs = publicIDs
        self.people = people
        self.exports = exports
    }

    /// Stores a request. ``runAll()`` processes an erasure; the data for an access request is read at download, about the users who are known now.
    /// Fails with `rateLimited` beyond the app's ``OrderLimits``, and with `invalid` if an access request's devices have too many users.
    package func ask(_ kind: SubjectRequest.Kind, about subjects: [DataSubject], in scope: Scope) async throws -> SubjectRequest {
        let handle = exports.random.uuid()
        let subjects = kind == .access ? try await users(behind: subjects, in: scope) : subjects
        return try await storage.write { [exports] transaction in
            let now = transaction.now
            try exports.limits.checkSubjectRequests(
                queued: kind == .erasure ? try transaction.queuedSubjectRequests(in: scope.app) : 0,
                today: try transaction.subjectRequests(madeSince: now.startOfDay, in: scope.app), at: now)
            let request = SubjectRequest(
                id: try transaction.newID(), handle: handle, scope: scope, kind: kind, subjects: subjects,
                doneAt: kind == .access ? now : nil,
                schedule: JobState(dueAt: now))
            try transaction.insert(request)
            return request
        }
    }

    /// Replaces ids of devices, browsers and users by the users that they stand for, each by its name, or by its reference if it is anonymous.
    /// Another user may log in there, and the anonymous one be given a name, before the file is downloaded.
    private func users(behind subjects: [DataSubject], in scope: Scope) async throws -> [DataSubject] {
        let others = subjects.filter { $0.kind != .developer }
        guard !others.isEmpty else { return subjects }
        let found = try await self.subjects.identities(of: others, in: scope)
        guard found.count <= Self.mostUsers else {
            throw Failure.invalid(
                "The ids of devices stand for \(found.count) users; at most \(Self.mostUsers) are allowed. Name users by DEVELOPER_ID or USER_ID."
            )
        }
        let all = try await subjects.filter { $0.kind == .developer } + self.subjects.named(found)
        guard all.reduce(0, { $0 + $1.value.utf8.count }) <= Self.mostBytes else {
            throw Failure.invalid(
                "The ids of devices stand for \(found.count) users, whose names are longer than the \(Self.mostBytes) bytes that are allowed. Name users by DEVELOPER_ID or USER_ID."
            )
        }
        // A request without subjects has no file.
        return all.isEmpty ? [DataSubject(kind: .user, value: "")] : all
    }

    /// The most users of the devices in an access request. Anybody can report an advertising id.
    private static let mostUsers = 1000
    /// The most bytes of the names that are stored with a request.
    private static let mostBytes = 64 << 10

    /// Whether an app was deleted. The data about its users stay until they are erased.
    package func wasDeleted(_ app: App.ID) async throws -> Bool {
        try await storage.read { try $0.scope(ofDeletedApp: String(app.rawValue)) != nil }
    }

    /// Returns the request with a public id. Fails with `notFound`.
    package func request(_ handle: String) async throws -> SubjectRequest {
        guard let request = try await storage.read({ try $0.subjectRequest(handle) }) else {
            throw Failure.notFound("There is no request \(handle).")
        }
        return request
    }

    /// Returns all data about an identity.
    package func export(_ identity: Identity, as format: ExportFormat) -> PersonalDataExport {
        export([identity.id], of: identity.scope, as: format)
    }

    /// Returns the content of the file that ``signedFile(of:)`` names. Fails with `notFound`.
    package func export(_ request: SubjectRequest) async throws -> PersonalDataExport {
        guard request.hasFile else { throw Failure.noSuchDownload }
        let identities = try await subjects.identitiesAsAsked(of: request)
        return export(identities, of: request.scope, as: .csv)
    }

    private func export(_ identities: [Identity.ID], of scope: Scope, as format: ExportFormat) -> PersonalDataExport {
        PersonalDataExport(
            of: identities, of: scope, in: storage, by: people, within: rows, publicIDs: publicIDs, format: format)
    }

    /// Returns an access request's file, which can be downloaded for ``ExportService/downloadDays`` days; nil for other requests and after
    /// that time.
    package func signedFile(of request: SubjectRequest) async throws -> SignedFile? {
        guard request.hasFile else { return nil }
        return try await exports.signedFile(
            ofPerson: request.handle, of: request.scope.app,
            expiresAt: request.id.time + .seconds(ExportService.downloadDays * 86400))
    }

    /// Processes the pending erasures. A failed one does not delay the others, and is retried later. Must be called about once a second.
    package func runAll() async throws {
        let expired: @Sendable (Timestamp) -> Timestamp = { $0 - .seconds(ExportService.downloadDays * 86400) }
        while try await storage.read({ try $0.hasSubjectRequests(doneBefore: expired($0.now)) }) {
            try Task.checkCancellation()
            try await storage.write { try $0.forgetSubjects(doneBefore: expired($0.now), limit: 10) }
        }
        while try await erasures.runRound() {}
    }
}

extension SubjectRequest {
    /// Whether the request has a file to download.
    fileprivate var hasFile: Bool { kind == .access && !subjects.isEmpty }
}
