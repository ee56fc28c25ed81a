import Linden
import LindenKernel
import LindenReporting
import Synchronization

/// The pending erasures. An erasure never ends as failed.
///
/// An erasure is complete once the database's files contain no trace of the data, which can take longer than the erasure itself: the
/// write-ahead log can only be emptied while no reader uses it.
struct ErasureQueue: JobQueue {
    /// The first retry follows at once.
    private static let backOff = JobBackOff(.zero, .seconds(5), .seconds(30), .seconds(120), .seconds(600))
    /// The number of erasures in a round: the oldest of each app first. A round is short, so that erasures which another app requests
    /// meanwhile begin soon.
    private static let batch = 4

    let concurrency = 1
    let storage: any Database
    let people: IdentityDataService
    let publicIDs: PublicIDs
    private let retry: PurgeRetry
    private let erased = ErasedRequests()
    private var subjects: SubjectFinder { SubjectFinder(storage: storage, publicIDs: publicIDs) }

    init(storage: any Database, people: IdentityDataService, publicIDs: PublicIDs, purgePause: Duration) {
        retry = PurgeRetry(pause: purgePause)
        self.storage = storage
        self.people = people
        self.publicIDs = publicIDs
    }

    func due() async throws -> [PendingSubjectRequest] {
        try await storage.read { try $0.subjectRequests(dueAt: $0.now, limit: Self.batch) }
    }

    func claim(_ request: inout PendingSubjectRequest) async throws -> Bool {
        let wait = Self.backOff.wait(after: request.schedule.attempts)
        return try await storage.write { [request] in try $0.claim(request, until: $0.now + wait) }
    }

    /// Erases the data, and the ids by which the request was made. The request stays pending. If the task is cancelled, the request keeps
    /// its ids and is due at once, so that the next start of the server continues the erasure.
    func run(_ pending: inout PendingSubjectRequest) async throws -> JobOutcome {
        let id = pending.id
        do {
            return try await run(id)
        } catch let error as CancellationError {
            // A stop is not a failed attempt.
            try await storage.write { try $0.postpone(id, until: $0.now) }
            throw error
        }
    }

    private func run(_ id: SubjectRequest.ID) async throws -> JobOutcome {
        // Empty if an earlier attempt has done this.
        guard let request = try await storage.read({ try $0.subjectRequest(id) }), !request.subjects.isEmpty else { return .done }
        let identities = try await subjects.identities(of: request.subjects, in: request.scope)
        for start in stride(from: 0, to: identities.count, by: Self.identitiesAtOnce) {
            let part = identities[start..<min(start + Self.identitiesAtOnce, identities.count)]
            try await remember(part, in: request)
            try await people.erase(Array(part), in: request.scope)
        }
        // Completed requests about the same data subjects must not retain their ids either, even if no identity was found for them.
        let others = try await completedRequests(about: request.subjects, in: request.scope)
        // Each on its own, since an app may have thousands, of 150 KB.
        for other in others + [request.id] { try await storage.write { try $0.forgetSubjects(of: other) } }
        return .done
    }

    /// Adds identities that were found by devices to the request's subjects. The devices are deleted ahead of the identities, and would not lead
    /// to them where an attempt that was interrupted is repeated.
    private func remember(_ identities: ArraySlice<Identity.ID>, in request: SubjectRequest) async throws {
        guard request.subjects.contains(where: \.isOfDevice) else { return }
        let known = Set(request.subjects)
        let subjects = request.subjects + self.subjects.subjects(identities).filter { !known.contains($0) }
        try await storage.write { try $0.setSubjects(subjects, of: request.id) }
    }

    /// The identities that are erased by one search. An id of a device may stand for many thousands.
    private static let identitiesAtOnce = 5000

    /// Returns the completed requests about any of some data subjects.
    private func completedRequests(about subjects: [DataSubject], in scope: Scope) async throws -> [SubjectRequest.ID] {
        let subjects = self.subjects.spellings(of: subjects)
        var found: [SubjectRequest.ID] = []
        try await storage.forEachCompletedSubjectRequest(of: scope) { request in
            if !subjects.isDisjoint(with: request.subjects) { found.append(request.id) }
        }
        return found
    }

    func outcome(of error: any Error) -> JobOutcome { .retry }

    func finish(_ request: PendingSubjectRequest, _ outcome: JobOutcome) async throws {}

    /// Marks requests as complete whose data is erased, once the database's files contain no trace of it; postpones them otherwise. What was
    /// erased in earlier rounds is complete then, too: while others read for long, the log is seldom emptied.
    func finishRound(_ done: [PendingSubjectRequest]) async throws {
        let erased = erased.adding(done.map(\.id))
        var isPurged = false
        if retry.isDue {
            isPurged = try await storage.purgeWriteAheadLog()
            if !isPurged { retry.wait() }
        }
        guard isPurged else {
            let pause = retry.remaining
            return try await storage.write { transaction in
                for request in done { try transaction.postpone(request.id, until: transaction.now + pause) }
            }
        }
        let all = Array(erased)
        for start in stride(from: 0, to: all.count, by: 1000) {
            let part = all[start..<min(start + 1000, all.count)]
            try await storage.write { transaction in
                for request in part { try transaction.finishSubjectRequest(request, at: transaction.now) }
            }
            self.erased.remove(Set(part))
        }
    }
}

/// The requests whose data is erased, but may still be in the write-ahead log.
private final class ErasedRequests: Sendable {
    private let requests = Mutex<Set<SubjectRequest.ID>>([])

    /// Adds requests, and returns all.
    func adding(_ more: [SubjectRequest.ID]) -> Set<SubjectRequest.ID> {
        requests.withLock { requests in
            requests.formUnion(more)
            return requests
        }
    }

    func remove(_ complete: Set<SubjectRequest.ID>) {
        requests.withLock { $0.subtract(complete) }
    }
}

/// The time of the next attempt to empty the write-ahead log after a failed one.
private final class PurgeRetry: Sendable {
    private let pause: Duration
    private let due = Mutex(ContinuousClock.now)

    init(pause: Duration) {
        self.pause = pause
    }

    var isDue: Bool { due.withLock { $0 <= ContinuousClock.now } }

    /// The time until the next attempt, rounded up so that it is due afterwards.
    var remaining: Duration { due.withLock { max(.zero, $0 - ContinuousClock.now) + .milliseconds(10) } }

    func wait() { due.withLock { $0 = ContinuousClock.now + pause } }
}
