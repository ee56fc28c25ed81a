/// The size of a JSON object by key, and the limit of its growth.
///
/// Each value counts more than its bytes, because it takes time and memory to be read: 8 KB can hold a thousand members, or thousands of
/// empty arrays in one.
package struct MemberSizes: Sendable {
    let limit: Int
    package private(set) var total = 2
    /// Sizes by the bytes of the key: Swift's String treats some keys as equal that are different in JSON.
    private var bytes: [[UInt8]: Int] = [:]

    /// The bytes that each value counts besides those of its JSON.
    package static let valueBytes = 32

    /// - Parameter limit: in bytes of JSON, and of ``valueBytes``.
    package init(limit: Int) {
        self.limit = limit
    }

    package init(_ members: JSONObject, limit: Int) {
        self.init(limit: limit)
        for (key, value) in members { set(key, to: Self.bytes(key, value)) }
    }

    package mutating func admit(_ key: String, _ value: JSON) { set(key, to: Self.bytes(key, value)) }

    /// Returns the members that fit, in the order of the space they add, so that a large value does not displace small ones.
    package mutating func admitted(of members: JSONObject) -> JSONObject {
        var sizes: [(key: String, bytes: Int, growth: Int)] = []
        for (key, value) in members {
            let size = Self.bytes(key, value)
            sizes.append((key, size, size - (bytes[Array(key.utf8)] ?? 0)))
        }
        sizes.sort { $0.growth < $1.growth }
        var admitted: Set<[UInt8]> = []
        for (key, size, growth) in sizes where growth <= 0 || total + growth <= limit {
            set(key, to: size)
            admitted.insert(Array(key.utf8))
        }
        return admitted.count == members.count ? members : members.filter { key, _ in admitted.contains(Array(key.utf8)) }
    }

    private mutating func set(_ key: String, to size: Int) {
        let key = Array(key.utf8)
        total += size - (bytes[key] ?? 0)
        bytes[key] = size
    }

    /// Returns the size of a member, including its colon and comma.
    private static func bytes(_ key: String, _ value: JSON) -> Int {
        JSON.string(key).bytes.count + value.bytes.count + 2 + valueBytes * (1 + value.innerValues)
    }
}

extension JSON {
    /// The number of values in an object or array, with those within others.
    package var innerValues: Int {
        switch self {
        case .object(let members): members.reduce(0) { $0 + 1 + $1.value.innerValues }
        case .array(let elements): elements.reduce(0) { $0 + 1 + $1.innerValues }
        case .null, .bool, .integer, .decimal, .string: 0
        }
    }
}

extension JSONObject {
    /// The size as ``MemberSizes`` counts it.
    package var size: Int { MemberSizes(self, limit: .max).total }

    /// Returns the members that fit into a limit of ``MemberSizes``, smallest first.
    package func cut(to limit: Int) -> JSONObject {
        var sizes = MemberSizes(limit: limit)
        return sizes.admitted(of: self)
    }
}
