import LindenKernel
import LinkRouting

/// The fields of an `application/x-www-form-urlencoded` body or query. Each value is a string; a repeated name has an array of its values.
///
/// Parsing is linear in the number of bytes: the values of a name are collected first, and each array is created once.
struct Form {
    let members: JSONObject

    /// The maximum number of pairs, repeated names included. The largest form of the Web SDK has about thirty.
    static let maximumPairs = 1000

    /// Returns nil for a body that is not a form: one that begins like JSON, or that has no `=`. Fails with `tooLarge` for too many pairs,
    /// and with `invalid` for too many combining marks in a row.
    init?(_ bytes: some Collection<UInt8>) throws(Failure) {
        guard let first = bytes.first(where: { $0 > 0x20 }), !"{[\"".utf8.contains(first), bytes.contains(UInt8(ascii: "=")) else {
            return nil
        }
        try self.init(query: LenientText.decode(Array(bytes)))
    }

    /// Fails with `tooLarge` for too many pairs, and with `invalid` for too many combining marks in a row.
    init(query: String) throws(Failure) {
        let separators = query.utf8.reduce(0) { $1 == UInt8(ascii: "&") ? $0 + 1 : $0 }
        guard separators < Self.maximumPairs else {
            throw Failure(.tooLarge, "A form or query may have at most \(Self.maximumPairs) fields, not \(separators + 1).")
        }
        guard !CombiningMarks.hasLongRun(percentEncoded: query) else {
            throw Failure.invalid("A form or query may have at most \(CombiningMarks.longestRun) combining marks in a row.")
        }
        var members = JSONObject()
        // Keyed by bytes: Swift's String treats a precomposed é and e with a combining accent as equal.
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
