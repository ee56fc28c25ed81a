import Synchronization

/// A service that accepts and processes requests of data subjects.
package struct SubjectRequestService: Sendable {
    private let storage: any Storage
    private let people: IdentityDataService
    private let publicIDs: PublicIDs
    private let exports: ExportService
    private let retry = PurgeRetry()

    package init(storage: any Storage, people: IdentityDataService, publicIDs: PublicIDs, exports: ExportService) {
        self.storage = storage
        self.people = people
        self.publicIDs = publicIDs
        self.exports = exports
    }

    /// Stores a request. ``runAll()`` processes an erasure; the data for an access request is read at download. Fails with
    /// `rateLimited` beyond the app's ``OrderLimits``.
    package func ask(_ kind: SubjectRequest.Kind, about subjects: [DataSubject], in scope: Scope) async throws -> SubjectRequest {
        let handle = exports.random.uuid()
        return try await storage.write { [exports] transaction in
            let now = transaction.now
            try exports.limits.checkSubjectRequests(
                queued: kind == .erasure ? try transaction.queuedSubjectRequests(in: scope.app) : 0,
                today: try transaction.subjectRequests(madeSince: now.startOfDay, in: scope.app), at: now)
            let request = SubjectRequest(
                id: try transaction.newID(), handle: handle, scope: scope, kind: kind, subjects: subjects,
                doneAt: kind == .access ? transaction.now : nil)
            try transaction.insert(request)
            return request
        }
    }

    /// Returns the request with a public id. Fails with `notFound`.
    package func request(_ handle: String) async throws -> SubjectRequest {
        guard let request = try await storage.read({ try $0.subjectRequest(handle) }) else {
            throw Failure.notFound("There is no request \(handle).")
        }
        return request
    }

    /// Returns all data about an identity.
    package func export(_ identity: Identity, as format: ExportFormat) async throws -> PersonalDataExport {
        try await PersonalDataExport(of: [identity], in: storage, publicIDs: publicIDs, format: format)
    }

    /// Returns the file behind a URL of ``url(of:)``. Fails with `notFound`.
    package func export(_ request: SubjectRequest) async throws -> PersonalDataExport {
        guard request.hasFile else { throw Failure.noSuchDownload }
        let identities = try await storage.identities(of: request.subjects, in: request.scope, publicIDs)
        return try await PersonalDataExport(of: identities, in: storage, publicIDs: publicIDs, format: .csv)
    }

    /// Returns the download URL of an access request's file, valid for ``ExportService/downloadDays`` days; nil for other requests and
    /// after that time.
    package func url(of request: SubjectRequest) async throws -> String? {
        guard request.hasFile else { return nil }
        return try await exports.url(
            ofPerson: request.handle, of: request.scope.app,
            expiresAt: request.id.time + .seconds(ExportService.downloadDays * 86400))
    }

    /// Processes the pending erasures. A failed one does not delay the others, and is retried by the next call. Must be called about once a
    /// second.
    ///
    /// An erasure is complete once the database's files contain no trace of the data, which can take longer than the erasure itself: the
    /// write-ahead log can only be emptied while no reader uses it.
    package func runAll() async throws {
        var last = SubjectRequest.ID(rawValue: 0)
        var failure: (any Error)?
        var erased: [SubjectRequest.ID] = []
        while let request = try await storage.read({ [last] in try $0.nextSubjectRequest(after: last) }) {
            guard !Task.isCancelled else { return }
            last = request.id
            do {
                try await erase(request)
                erased.append(request.id)
            } catch {
                failure = failure ?? error
            }
        }
        try await finish(erased)
        let expired: @Sendable (Timestamp) -> Timestamp = { $0 - .seconds(ExportService.downloadDays * 86400) }
        if try await storage.read({ try $0.hasSubjectRequests(doneBefore: expired($0.now)) }) {
            try await storage.write { try $0.forgetSubjects(doneBefore: expired($0.now)) }
        }
        if let failure { throw failure }
    }

    /// Erases the data, and the ids by which the request was made. The request stays pending.
    private func erase(_ request: SubjectRequest) async throws {
        // Empty if an earlier attempt has done this.
        guard !request.subjects.isEmpty else { return }
        for identity in try await storage.identities(of: request.subjects, in: request.scope, publicIDs) {
            _ = try await people.erase(identity)
        }
        try await storage.write { transaction in
            // Completed requests about the same data subjects must not retain their ids either, even if no identity was found for them.
            for other in try transaction.subjectRequests(of: request.scope)
            where other.id == request.id || other.doneAt != nil && !Set(other.subjects).isDisjoint(with: request.subjects) {
                try transaction.forgetSubjects(of: other.id)
            }
        }
    }

    /// Marks requests as complete whose data is erased, once the database's files contain no trace of it.
    private func finish(_ requests: [SubjectRequest.ID]) async throws {
        guard !requests.isEmpty, retry.isDue else { return }
        guard try await storage.purgeWriteAheadLog() else { return retry.wait() }
        try await storage.write { transaction in
            for id in requests { try transaction.finishSubjectRequest(id, at: transaction.now) }
        }
    }
}

/// The time of the next attempt to empty the write-ahead log after a failed one: each attempt delays all other writes.
private final class PurgeRetry: Sendable {
    private static let pause: Duration = .seconds(15)

    private let due = Mutex(ContinuousClock.now)

    var isDue: Bool { due.withLock { $0 <= ContinuousClock.now } }

    func wait() { due.withLock { $0 = ContinuousClock.now + Self.pause } }
}

extension SubjectRequest {
    /// Whether the request has a file to download.
    fileprivate var hasFile: Bool { kind == .access && !subjects.isEmpty }
}

extension Storage {
    /// Returns the identities of data subjects; unknown ids are skipped.
    func identities(of subjects: [DataSubject], in scope: Scope, _ publicIDs: PublicIDs) async throws -> [Identity] {
        try await read { reader in
            var found: [Identity] = []
            for subject in subjects {
                guard let identity = try reader.identity(of: subject, in: scope, publicIDs), identity.scope == scope,
                    !found.contains(where: { $0.id == identity.id })
                else { continue }
                found.append(identity)
            }
            return found
        }
    }
}

extension Reader {
    fileprivate func identity(of subject: DataSubject, in scope: Scope, _ publicIDs: PublicIDs) throws -> Identity? {
        switch subject.kind {
        case .developer: return try identity(subject.value, in: scope)
        case .user: return try publicIDs.id(for: subject.value).flatMap { try identity($0) }
        case .device, .browser:
            let token: Device.ID? = publicIDs.id(for: subject.value)
            let device =
                try token.flatMap { try self.device($0) } ?? device(hardwareID: subject.value, in: scope)
                ?? device(advertisingID: subject.value, in: scope)
                ?? token.flatMap { try app(beside: $0, in: scope) }.flatMap { try self.device($0) }
            return try device.flatMap { $0.scope == scope ? try identity($0.identity) : nil }
        }
    }
}
