import Linden
import LindenKernel

/// A request of a data subject, or on behalf of one, about the data stored about them (Branch, "Data subject requests").
package struct SubjectRequest: Sendable {
    package typealias ID = Identifier<SubjectRequest>

    package enum Kind: String, Sendable, CaseIterable {
        /// To get a copy of the data.
        case access
        /// To have the data erased.
        case erasure
    }

    package let id: ID
    /// The public id of the request: a UUID.
    package let handle: String
    package let scope: Scope
    package let kind: Kind
    /// Empty once the data is erased, or the file has expired.
    package let subjects: [DataSubject]
    package let doneAt: Timestamp?
    /// The schedule of an erasure.
    package let schedule: JobState

    package init(
        id: ID, handle: String, scope: Scope, kind: Kind, subjects: [DataSubject], doneAt: Timestamp? = nil, schedule: JobState
    ) {
        self.schedule = schedule
        self.id = id
        self.handle = handle
        self.scope = scope
        self.kind = kind
        self.subjects = subjects
        self.doneAt = doneAt
    }
}

/// A pending request as a job. Its contents are read by the attempt, so that an unreadable request does not delay the others.
package struct PendingSubjectRequest: Sendable {
    package let id: SubjectRequest.ID
    package let schedule: JobState

    package init(id: SubjectRequest.ID, schedule: JobState) {
        self.id = id
        self.schedule = schedule
    }
}

/// An id of a data subject.
package struct DataSubject: Sendable, Hashable {
    /// The type of the id, in Branch's terms.
    package enum Kind: String, Sendable, CaseIterable {
        /// A browser with the Web SDK, by its token.
        case browser = "BROWSER_ID"
        /// A device, by its token, its hardware id or its advertising id.
        case device = "DEVICE_ID"
        /// An identity, by its token.
        case user = "USER_ID"
        /// An identity, by the developer's own id.
        case developer = "DEVELOPER_ID"
    }

    package let kind: Kind
    package let value: String

    package init(kind: Kind, value: String) {
        self.kind = kind
        self.value = value
    }

    /// Compares bytes, as the database does: two spellings of a name are two users.
    package static func == (one: DataSubject, other: DataSubject) -> Bool {
        one.kind == other.kind && one.value.hasSameBytes(as: other.value)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        value.hashBytes(into: &hasher)
    }

    /// Whether it is an id of a device or browser, which stands for the users there.
    package var isOfDevice: Bool { kind == .device || kind == .browser }

    package var json: JSON { [.string(kind.rawValue), .string(value)] }

    package init?(json: JSON) {
        guard let parts = json.array, parts.count == 2, let kind = parts[0].string.flatMap(Kind.init), let value = parts[1].string
        else { return nil }
        self.init(kind: kind, value: value)
    }
}

package protocol SubjectRequestReader {
    func subjectRequest(_ handle: String) throws -> SubjectRequest?
    func subjectRequest(_ id: SubjectRequest.ID) throws -> SubjectRequest?
    /// Returns the pending requests that are due at a time: the oldest of each app, then the second of each, and so on.
    func subjectRequests(dueAt time: Timestamp, limit: Int) throws -> [PendingSubjectRequest]
    /// Returns the number of requests of an app since a time.
    func subjectRequests(madeSince time: Timestamp, in app: App.ID) throws -> Int
    /// Returns the number of pending erasures of an app.
    func queuedSubjectRequests(in app: App.ID) throws -> Int
    /// Returns the number of pending erasures of all apps.
    func queuedSubjectRequests() throws -> Int
    /// Returns the completed requests of a scope that still contain ids of data subjects, in the order of their ids.
    func completedSubjectRequests(of scope: Scope, after id: SubjectRequest.ID?, limit: Int) throws -> [SubjectRequest]
    /// Whether any request that was completed before a time still contains ids of data subjects.
    func hasSubjectRequests(doneBefore time: Timestamp) throws -> Bool
    /// Returns the personal data in a row, by its columns; nil if the row no longer exists.
    func personalRow(of table: PersonalTable, _ id: Int64) throws -> JSONObject?
}

package protocol SubjectRequestRepository: SubjectRequestReader {
    func insert(_ request: SubjectRequest) throws
    /// Claims a request for one attempt and postpones the next. False if another process claimed it first.
    func claim(_ request: PendingSubjectRequest, until next: Timestamp) throws -> Bool
    /// Sets the time of a request's next attempt, and its number of attempts to 0.
    func postpone(_ id: SubjectRequest.ID, until next: Timestamp) throws
    func finishSubjectRequest(_ id: SubjectRequest.ID, at time: Timestamp) throws
    func setSubjects(_ subjects: [DataSubject], of id: SubjectRequest.ID) throws
    /// Removes the ids of data subjects from a request.
    func forgetSubjects(of id: SubjectRequest.ID) throws
    /// Removes the ids of data subjects from some requests that were completed before a time.
    func forgetSubjects(doneBefore time: Timestamp, limit: Int) throws
}
