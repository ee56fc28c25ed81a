import OrderedCollections

/// The members of a JSON object in the order in which they were written.
package struct JSONObject: Sendable {
    private var members: OrderedDictionary<String, JSON> = [:]

    package init() {}

    /// Of a repeated key the last value counts.
    package init(_ members: some Sequence<(key: String, value: JSON)>) {
        for (key, value) in members { self.members[key] = value }
    }

    /// Setting nil removes the member; null is ``JSON/null``.
    package subscript(key: String) -> JSON? {
        get { members[key] }
        set { members[key] = newValue }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }
    package var keys: [String] { Array(members.keys) }

    /// Takes over all members of another object; what is there already is replaced in its place.
    package mutating func merge(_ other: JSONObject) {
        for (key, value) in other { members[key] = value }
    }

    package func merging(_ other: JSONObject) -> JSONObject {
        var merged = self
        merged.merge(other)
        return merged
    }

    package func filter(_ isKept: (String, JSON) -> Bool) -> JSONObject {
        var kept = JSONObject()
        for (key, value) in self where isKept(key, value) { kept.members[key] = value }
        return kept
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> some IteratorProtocol<(key: String, value: JSON)> {
        members.makeIterator()
    }
}

extension JSONObject: Equatable {
    /// The order of keys does not matter.
    package static func == (left: JSONObject, right: JSONObject) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
    }
}
