/// What somebody, or whoever answers for him, asked about the data that is kept of him (Branch, "Data subject requests").
package struct SubjectRequest: Sendable {
    package typealias ID = Identifier<SubjectRequest>

    package enum Kind: String, Sendable, CaseIterable {
        /// To be shown it.
        case access
        /// To have it erased.
        case erasure
    }

    package let id: ID
    /// By which whoever asked knows it: a UUID.
    package let handle: String
    package let scope: Scope
    package let kind: Kind
    /// Empty once the person is erased, or his file has expired.
    package let subjects: [Subject]
    package let doneAt: Timestamp?

    package init(id: ID, handle: String, scope: Scope, kind: Kind, subjects: [Subject], doneAt: Timestamp? = nil) {
        self.id = id
        self.handle = handle
        self.scope = scope
        self.kind = kind
        self.subjects = subjects
        self.doneAt = doneAt
    }
}

/// By what somebody is known.
package struct Subject: Sendable, Hashable {
    /// In Branch's words.
    package enum Kind: String, Sendable, CaseIterable {
        /// The browser that the Web SDK runs in, by its token.
        case browser = "BROWSER_ID"
        /// A device by its token, its hardware id or its advertising id.
        case device = "DEVICE_ID"
        /// A user by his token.
        case user = "USER_ID"
        /// A user by the developer's own id of him.
        case developer = "DEVELOPER_ID"
    }

    package let kind: Kind
    package let value: String

    package init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }

    package var json: JSON { [.string(kind.rawValue), .string(value)] }

    package init?(json: JSON) {
        guard let parts = json.array, parts.count == 2, let kind = parts[0].string.flatMap(Kind.init), let value = parts[1].string
        else { return nil }
        self.init(kind: kind, value: value)
    }
}

package protocol SubjectRequestReader {
    func subjectRequest(_ handle: String) throws -> SubjectRequest?
    /// The oldest that is not done, of those after one.
    func nextSubjectRequest(after id: SubjectRequest.ID) throws -> SubjectRequest?
    /// How many of an app were made since a time.
    func subjectRequests(madeSince time: Timestamp, in app: App.ID) throws -> Int
    /// How many erasures of an app are not done.
    func queuedSubjectRequests(in app: App.ID) throws -> Int
    /// Those of a scope that still name somebody.
    func subjectRequests(of scope: Scope) throws -> [SubjectRequest]
    /// Whether any that were done before a time still name somebody.
    func hasSubjectRequests(doneBefore time: Timestamp) throws -> Bool
    /// What is kept in a row about a person, by its columns; nil if it is gone.
    func personalRow(of table: PersonalTable, _ id: Int64) throws -> JSONObject?
}

package protocol SubjectRequestRepository: SubjectRequestReader {
    func insert(_ request: SubjectRequest) throws
    func finishSubjectRequest(_ id: SubjectRequest.ID, at time: Timestamp) throws
    /// Forgets whom a request was about.
    func forgetSubjects(of id: SubjectRequest.ID) throws
    func forgetSubjects(doneBefore time: Timestamp) throws
}
