import Linden

extension SQLTransaction {
    package func subjectRequest(_ handle: String) throws -> SubjectRequest? {
        try connection.first(
            "SELECT \(raw: SubjectRequest.columns) FROM subject_requests WHERE handle = \(handle)", SubjectRequest.init(row:))
    }

    package func nextSubjectRequest(after id: SubjectRequest.ID) throws -> SubjectRequest? {
        try connection.first(
            """
            SELECT \(raw: SubjectRequest.columns) FROM subject_requests
            WHERE done_at IS NULL AND id > \(id) ORDER BY id LIMIT 1
            """, SubjectRequest.init(row:))
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

    package func subjectRequests(of scope: Scope) throws -> [SubjectRequest] {
        try connection.query(
            """
            SELECT \(raw: SubjectRequest.columns) FROM subject_requests
            WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND subjects <> '[]' ORDER BY id
            """, SubjectRequest.init(row:))
    }

    package func hasSubjectRequests(doneBefore time: Timestamp) throws -> Bool {
        try connection.hasRows("SELECT 1 FROM subject_requests WHERE done_at < \(time) AND subjects <> '[]' LIMIT 1")
    }

    package func insert(_ request: SubjectRequest) throws {
        try connection.execute(
            """
            INSERT INTO subject_requests (id, handle, app_id, mode, kind, subjects, done_at)
            VALUES (\(request.id), \(request.handle), \(request.scope.app), \(request.scope.mode), \(request.kind.rawValue),
                \(JSON.array(request.subjects.map(\.json))), \(request.doneAt))
            """)
    }

    package func finishSubjectRequest(_ id: SubjectRequest.ID, at time: Timestamp) throws {
        try connection.execute("UPDATE subject_requests SET done_at = \(time) WHERE id = \(id)")
    }

    package func forgetSubjects(of id: SubjectRequest.ID) throws {
        try connection.execute("UPDATE subject_requests SET subjects = '[]' WHERE id = \(id)")
    }

    package func forgetSubjects(doneBefore time: Timestamp) throws {
        try connection.execute("UPDATE subject_requests SET subjects = '[]' WHERE done_at < \(time) AND subjects <> '[]'")
    }
}

extension SubjectRequest {
    fileprivate static let columns: StaticString = "id, handle, app_id, mode, kind, subjects, done_at"

    fileprivate init(row: any SQLRow) throws {
        self.init(
            id: row.id(0), handle: row.text(1), scope: row.scope(2), kind: Kind(rawValue: row.text(4)) ?? .access,
            subjects: (try JSON.parse(row.text(5)).array ?? []).compactMap(DataSubject.init), doneAt: row.optionalTime(6))
    }
}
