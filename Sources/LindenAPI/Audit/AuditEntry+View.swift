import Linden
import LindenKernel
import LindenServices
import LinkRouting

extension AuditEntry {
    /// An entry of the audit log.
    ///
    /// - `position`: its place in the chain, from 1.
    /// - `time`: ISO 8601, UTC.
    /// - `app_id`, `mode`: the app and the side of the changed row; null for none, or both.
    /// - `actor`, `actor_id`: token, user, secret or command, and the id of the token, the user or the secret's app.
    /// - `name`, `address`: the actor's name at that time, and where the call came from; null once the details are erased.
    /// - `interface`, `action`: api, mcp, dashboard or command, and the route or command.
    /// - `noun`, `subject`, `change`: the kind of the row, its id, and created, changed or deleted.
    /// - `before`, `after`: the values that differ, users of the app by their references; null for none.
    /// - `erased`: whether the details were erased with the identity that they are about.
    /// - `hash`: of the entry and all before it, in hexadecimal digits.
    package func view(_ publicIDs: PublicIDs) -> JSONObject {
        let members = details.members
        return [
            "position": .integer(position),
            "time": .string(time.iso8601),
            "app_id": JSON(subject.app.map { String($0.rawValue) }),
            "mode": JSON(subject.mode?.name),
            "actor": .string(actorKind.rawValue),
            "actor_id": JSON(actorID.map { String($0) }),
            "name": members["actor"] ?? .null,
            "address": members["address"] ?? .null,
            "interface": .string(interface),
            "action": .string(action),
            "noun": .string(subject.noun),
            "subject": JSON(subject.id),
            "change": .string(subject.change.rawValue),
            "before": Self.shown(members["before"], publicIDs),
            "after": Self.shown(members["after"], publicIDs),
            "erased": .bool(details.text == nil),
            "hash": .string(Hex.encode(hash)),
        ]
    }

    /// An entry in a table.
    package func summary(_ publicIDs: PublicIDs) -> JSONObject {
        [
            "position": .integer(position),
            "time": .string(time.iso8601),
            "who": .string(who),
            "from": details.members["address"] ?? .null,
            "action": .string(action),
            "what": .string(what),
            "change": .string(subject.change.rawValue),
            "values": .string(values(publicIDs)),
        ]
    }

    /// The kind and the name of the actor; the kind alone once the name is erased.
    package var who: String { [actorKind.rawValue, details.members["actor"]?.string].compactMap { $0 }.joined(separator: " ") }

    /// The kind and the id of the changed row.
    package var what: String { [subject.noun, subject.id].compactMap { $0 }.joined(separator: " ") }

    /// The values that differ, such as `channel: mail → sms`.
    package func values(_ publicIDs: PublicIDs) -> String {
        guard details.text != nil else { return "erased with the identity that they were about" }
        let members = details.members
        let before = Self.shown(members["before"], publicIDs).object ?? [:]
        let after = Self.shown(members["after"], publicIDs).object ?? [:]
        return before.merging(after).keys.map { "\($0): \(Self.text(before[$0])) → \(Self.text(after[$0]))" }.joined(
            separator: "; ")
    }

    /// Returns the values of a row with the reference of its identity in place of the row id.
    private static func shown(_ values: JSON?, _ publicIDs: PublicIDs) -> JSON {
        guard var members = values?.object else { return .null }
        if let id = members["identity_id"]?.int64 {
            members["identity_id"] = .string(publicIDs.reference(to: Identity.ID(rawValue: id)))
        }
        return .object(members)
    }

    private static func text(_ value: JSON?) -> String {
        guard let value, !value.isNull else { return "–" }
        return value.scalarText ?? value.text
    }
}
