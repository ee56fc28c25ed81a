import Linden
import LindenKernel
import LinkRouting

/// An entry of the audit log: one row that an operator created, changed or deleted.
package struct AuditEntry: Sendable {
    package enum Change: String, Sendable, CaseIterable {
        case created, changed, deleted
    }

    /// What happened to a row.
    package struct Subject: Sendable {
        /// The kind of row, such as `link`.
        package let noun: String
        /// The id of the row; nil for a number of rows, and for an identity.
        package let id: String?
        package let change: Change
        package let app: App.ID?
        /// Nil for a row of both sides of an app.
        package let mode: Mode?

        package init(noun: String, id: String?, change: Change, app: App.ID?, mode: Mode?) {
            self.noun = noun
            self.id = id
            self.change = change
            self.app = app
            self.mode = mode
        }
    }

    /// The position in the chain, from 1.
    package let position: Int64
    package let time: Timestamp
    package let actorKind: AuditActor.Kind
    package let actorID: Int64?
    /// See ``OperatorCall/Interface``.
    package let interface: String
    /// The route or the command.
    package let action: String
    package let subject: Subject
    /// Whether the details are about an identity, and may be erased with it.
    package let isPersonal: Bool
    package let details: AuditDetails
    /// The hash that the next entry covers.
    package let hash: [UInt8]

    package init(
        position: Int64, time: Timestamp, actorKind: AuditActor.Kind, actorID: Int64?, interface: String, action: String,
        subject: Subject, isPersonal: Bool, details: AuditDetails, hash: [UInt8]
    ) {
        self.position = position
        self.time = time
        self.actorKind = actorKind
        self.actorID = actorID
        self.interface = interface
        self.action = action
        self.subject = subject
        self.isPersonal = isPersonal
        self.details = details
        self.hash = hash
    }

    /// Whether the details are as they were written, or erased if they may be.
    package var hasItsDetails: Bool { details.areIntact && (details.text != nil || isPersonal) }

    /// Creates the entry that follows another one.
    package init(
        after previous: AuditHead, at time: Timestamp, by author: AuditAuthor, _ subject: Subject,
        isPersonal: Bool, _ details: AuditDetails
    ) {
        let unsealed = AuditEntry(
            position: previous.position + 1, time: time, actorKind: author.actor.kind, actorID: author.actor.id,
            interface: author.interface.rawValue, action: author.action, subject: subject, isPersonal: isPersonal, details: details,
            hash: [])
        self.init(
            position: unsealed.position, time: time, actorKind: unsealed.actorKind, actorID: unsealed.actorID,
            interface: unsealed.interface, action: unsealed.action, subject: subject, isPersonal: isPersonal, details: details,
            hash: unsealed.chained(to: previous.hash))
    }

    /// Returns the hash that the entry must have after an entry with this hash; none before the first entry. It covers a JSON array, whose
    /// text separates the fields.
    package func chained(to previous: [UInt8]) -> [UInt8] {
        func number(_ value: Int64?) -> JSON { value.map(JSON.integer) ?? .null }
        let fields: JSON = [
            .string(Hex.encode(previous)), .integer(position), .integer(time.milliseconds), number(subject.app?.rawValue),
            number(subject.mode?.rawValue), .string(actorKind.rawValue), number(actorID), .string(interface), .string(action),
            .string(subject.noun), JSON(subject.id), .string(subject.change.rawValue), .bool(isPersonal),
            .string(Hex.encode(details.hash)),
        ]
        return Secret.hash(fields.text)
    }
}

/// The part of an entry that can be erased: the actor's name and address, and the values before and after the change.
package struct AuditDetails: Sendable {
    /// A JSON object; nil after the erasure.
    package let text: String?
    package let salt: String?
    package let hash: [UInt8]

    /// The details as stored.
    package init(text: String?, salt: String?, hash: [UInt8]) {
        self.text = text
        self.salt = salt
        self.hash = hash
    }

    /// - Parameter salt: random text, without which an erased value could be guessed and compared with the hash.
    package init(by author: AuditAuthor, before: JSONObject, after: JSONObject, salt: String) {
        var members: JSONObject = ["actor": .string(author.actor.name), "address": .string(author.address)]
        if !before.isEmpty { members["before"] = .object(before) }
        if !after.isEmpty { members["after"] = .object(after) }
        let text = JSON.object(members).text
        self.init(text: text, salt: salt, hash: Self.hash(text, salt))
    }

    /// Whether the details are as they were written, or erased.
    package var areIntact: Bool {
        guard let text, let salt else { return text == nil && salt == nil }
        return Self.hash(text, salt) == hash
    }

    package var members: JSONObject { text.flatMap { try? JSON.parse($0).object } ?? [:] }

    private static func hash(_ text: String, _ salt: String) -> [UInt8] { Secret.hash(salt + ":" + text) }
}
