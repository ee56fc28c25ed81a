import Linden
import LindenKernel
import LindenReporting

extension SQLTransaction {
    package func subjectRequest(_ handle: String) throws -> SubjectRequest? {
        try connection.first(
            "SELECT \(raw: SubjectRequest.columns) FROM subject_requests WHERE handle = \(handle)", SubjectRequest.init(row:))
    }

    package func subjectRequest(_ id: SubjectRequest.ID) throws -> SubjectRequest? {
        try connection.first(
            "SELECT \(raw: SubjectRequest.columns) FROM subject_requests WHERE id = \(id)", SubjectRequest.init(row:))
    }

    package func subjectRequests(dueAt time: Timestamp, limit: Int) throws -> [PendingSubjectRequest] {
        try connection.query(
            """
            SELECT id, attempts, due_at FROM subject_requests
            WHERE done_at IS NULL AND due_at <= \(time)
            ORDER BY ROW_NUMBER() OVER (PARTITION BY app_id ORDER BY id), id LIMIT \(limit)
            """
        ) { PendingSubjectRequest(id: $0.id(0), schedule: $0.jobState(1)) }
    }

    package func claim(_ request: PendingSubjectRequest, until next: Timestamp) throws -> Bool {
        try claimJob(request.id.rawValue, by: "id", in: "subject_requests", request.schedule, until: next)
    }

    package func postpone(_ id: SubjectRequest.ID, until next: Timestamp) throws {
        try connection.execute("UPDATE subject_requests SET attempts = 0, due_at = \(next) WHERE id = \(id)")
    }

    package func subjectRequests(madeSince time: Timestamp, in app: App.ID) throws -> Int {
        try connection.first(
            "SELECT COUNT(*) FROM subject_requests WHERE id >= \(IDGenerator.first(at: time)) AND app_id = \(app)"
        ) { Int($0.integer(0)) } ?? 0
    }

    package func queuedSubjectRequests(in app: App.ID) throws -> Int {
        try connection.first("SELECT COUNT(*) FROM subject_requests WHERE done_at IS NULL AND app_id = \(app)") {
            Int($0.integer(0))
        } ?? 0
    }

    package func queuedSubjectRequests() throws -> Int {
        try connection.first("SELECT COUNT(*) FROM subject_requests WHERE done_at IS NULL") { Int($0.integer(0)) } ?? 0
    }

    package func completedSubjectRequests(
        of scope: Scope, after id: SubjectRequest.ID?, limit: Int
    ) throws -> [SubjectRequest] {
        try connection.query(
            """
            SELECT \(raw: SubjectRequest.columns) FROM subject_requests
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND id > \(id?.rawValue ?? 0) AND done_at IS NOT NULL AND subjects <> '[]'
            ORDER BY id LIMIT \(limit)
            """, SubjectRequest.init(row:))
    }

    package func hasSubjectRequests(doneBefore time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM subject_requests WHERE done_at < \(time) AND subjects <> '[]' LIMIT 1")
    }

    package func insert(_ request: SubjectRequest) throws {
        try connection.execute(
            """
            INSERT INTO subject_requests (id, handle, app_id, mode, kind, subjects, done_at, attempts, due_at)
            VALUES (\(request.id), \(request.handle), \(request.scope.app), \(request.scope.mode), \(request.kind.rawValue),
                \(JSON.array(request.subjects.map(\.json))), \(request.doneAt),
                \(request.schedule.attempts), \(request.schedule.dueAt))
            """)
    }

    package func finishSubjectRequest(_ id: SubjectRequest.ID, at time: Timestamp) throws {
        try connection.execute("UPDATE subject_requests SET done_at = \(time) WHERE id = \(id)")
    }

    package func setSubjects(_ subjects: [DataSubject], of id: SubjectRequest.ID) throws {
        try connection.execute("UPDATE subject_requests SET subjects = \(JSON.array(subjects.map(\.json))) WHERE id = \(id)")
    }

    package func forgetSubjects(of id: SubjectRequest.ID) throws {
        try connection.execute("UPDATE subject_requests SET subjects = '[]' WHERE id = \(id)")
    }

    package func forgetSubjects(doneBefore time: Timestamp, limit: Int) throws {
        try connection.execute(
            """
            UPDATE subject_requests SET subjects = '[]'
            WHERE id IN (SELECT id FROM subject_requests WHERE done_at < \(time) AND subjects <> '[]' LIMIT \(limit))
            """)
    }
}

extension SubjectRequest {
    fileprivate static let columns: StaticString = "id, handle, app_id, mode, kind, subjects, done_at, attempts, due_at"

    /// Fails if any part is unreadable: an erasure without its data subjects would count as done.
    fileprivate init(row: any SQLRow) throws {
        let unreadable = UnreadableSubjectRequest(handle: row.text(1))
        guard let kind = Kind(rawValue: row.text(4)), let elements = (try? JSON.parse(row.text(5)))?.array else { throw unreadable }
        let subjects = try elements.map { element -> DataSubject in
            guard let subject = DataSubject(json: element) else { throw unreadable }
            return subject
        }
        self.init(
            id: row.id(0), handle: row.text(1), scope: row.scope(2), kind: kind, subjects: subjects, doneAt: row.optionalTime(6),
            schedule: row.jobState(7))
    }
}

/// The error of a stored privacy request with an unknown kind or with malformed data subjects.
private struct UnreadableSubjectRequest: Error, CustomStringConvertible {
    let handle: String

    var description: String { "The stored privacy request \(handle) is unreadable; nothing was erased for it." }
}
