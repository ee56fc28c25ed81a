import Linden
import LinkRouting

/// A body of `application/x-www-form-urlencoded`. Every value is text; a name that is repeated is an array.
struct Form {
    let members: JSONObject

    /// Nil for a body that is no form: one that begins like JSON, or that has no `=`.
    init?(_ bytes: some Collection<UInt8>) {
        guard let first = bytes.first(where: { $0 > 0x20 }), !"{[\"".utf8.contains(first), bytes.contains(UInt8(ascii: "=")) else {
            return nil
        }
        self.init(query: String(decoding: bytes, as: UTF8.self))
    }

    init(query: String) {
        var members = JSONObject()
        for item in URLParts.queryItems(query) where !item.name.isEmpty {
            let value = JSON.string(item.value)
            switch members[item.name] {
            case nil: members[item.name] = value
            case .array(let values): members[item.name] = .array(values + [value])
            case let earlier?: members[item.name] = .array([earlier, value])
            }
        }
        self.members = members
    }
}
