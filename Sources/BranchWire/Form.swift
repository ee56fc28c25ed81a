import Linden
import LinkRouting

/// Fields in `application/x-www-form-urlencoded`, from a body or a query. Every value is text; a repeated name is an array of its values.
///
/// Linear in the number of bytes: the values of a name are gathered first, and each array is made once.
struct Form {
    let members: JSONObject

    /// Far more than any SDK sends: the largest form of the Web SDK has some thirty names. Repeats count.
    static let maximumPairs = 1000

    /// Nil for a body that is not a form: one that begins like JSON, or that has no `=`. Fails with `tooLarge` for too many pairs.
    init?(_ bytes: some Collection<UInt8>) throws(Failure) {
        guard let first = bytes.first(where: { $0 > 0x20 }), !"{[\"".utf8.contains(first), bytes.contains(UInt8(ascii: "=")) else {
            return nil
        }
        try self.init(query: String(decoding: bytes, as: UTF8.self))
    }

    /// Fails with `tooLarge` for too many pairs, before any of them is decoded.
    init(query: String) throws(Failure) {
        let separators = query.utf8.reduce(0) { $1 == UInt8(ascii: "&") ? $0 + 1 : $0 }
        guard separators < Self.maximumPairs else {
            throw Failure(.tooLarge, "A form or query may have at most \(Self.maximumPairs) fields, not \(separators + 1).")
        }
        var members = JSONObject()
        // By bytes: to Swift's strings an é and an e with an accent are one name.
        var repeated: [[UInt8]: (name: String, values: [JSON])] = [:]
        for item in URLParts.queryItems(query) where !item.name.isEmpty {
            let value = JSON.string(item.value)
            if let first = members[item.name] {
                repeated[Array(item.name.utf8), default: (item.name, [first])].values.append(value)
            } else {
                members[item.name] = value
            }
        }
        for (name, values) in repeated.values { members[name] = .array(values) }
        self.members = members
    }
}
