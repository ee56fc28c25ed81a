/// How large a JSON object is and may become, by its keys.
struct MemberSizes: Sendable {
    let limit: Int
    private(set) var total = 2
    /// By the bytes of the key: to Swift's strings some keys are the same that are two to JSON.
    private var bytes: [[UInt8]: Int] = [:]

    /// - Parameter limit: in bytes of JSON.
    init(limit: Int) {
        self.limit = limit
    }

    init(_ members: JSONObject, limit: Int) {
        self.init(limit: limit)
        for (key, value) in members { set(key, to: Self.bytes(key, value)) }
    }

    mutating func admit(_ key: String, _ value: JSON) { set(key, to: Self.bytes(key, value)) }

    /// The members that fit, those that need the least room first, so that a large value keeps no small one out.
    mutating func admitted(of members: JSONObject) -> JSONObject {
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

    /// With the colon and the comma.
    private static func bytes(_ key: String, _ value: JSON) -> Int { JSON.string(key).bytes.count + value.bytes.count + 2 }
}

extension JSONObject {
    /// The members that fit into so many bytes of JSON, the smallest first.
    func cut(to limit: Int) -> JSONObject {
        var sizes = MemberSizes(limit: limit)
        return sizes.admitted(of: self)
    }
}
