import Linden
import LindenKernel

/// The metadata of an event, by which reward rules are filtered. It is read while other writers wait and may have thousands of members, so its
/// parts are not merged.
struct EventMetadata {
    /// The objects that it consists of. A member of a later one replaces that of an earlier one.
    private let parts: [JSONObject]

    /// The most members of each part that are looked at for what is kept, which has room for fewer.
    private static let mostKept = 256

    init(_ parts: [JSONObject]) {
        self.parts = parts
    }

    /// The metadata of an event with a body: `metadata` in v1, `event_data` and `custom_data` in v2.
    init(of body: JSONObject) {
        self.init(
            body["metadata"]?.object.map { [$0] } ?? ["event_data", "custom_data"].compactMap { body[$0]?.object })
    }

    subscript(key: String) -> JSON? {
        for part in parts.reversed() {
            if let value = part[key] { return value }
        }
        return nil
    }

    /// The part that is stored with rewards: the smallest of the first members.
    var kept: JSONObject {
        let limit = CreditCause.longestEventMetadata
        let members = parts.map { part in
            JSONObject(part.prefix(Self.mostKept).filter { ($0.value.string?.utf8.count ?? 0) <= limit })
        }
        return members.reduce(JSONObject()) { $0.merging($1) }.cut(to: limit)
    }
}
