import Foundation
import OrderedCollections

/// The members of a JSON object in their original order.
package struct JSONObject: Sendable {
    /// A key that is compared by its bytes: Swift's String treats a precomposed é and e with a combining accent as equal, JSON treats them
    /// as two keys.
    fileprivate struct Name: Hashable, Comparable {
        let text: String

        static func == (left: Name, right: Name) -> Bool {
            var (left, right) = (left.text, right.text)
            guard left.utf8.count == right.utf8.count else { return false }
            return left.withUTF8 { left in
                right.withUTF8 { right in
                    left.isEmpty || memcmp(left.baseAddress!, right.baseAddress!, left.count) == 0
                }
            }
        }

        static func < (left: Name, right: Name) -> Bool {
            var (left, right) = (left.text, right.text)
            return left.withUTF8 { left in
                right.withUTF8 { right in
                    let shared = Swift.min(left.count, right.count)
                    let order = shared == 0 ? 0 : memcmp(left.baseAddress!, right.baseAddress!, shared)
                    return order == 0 ? left.count < right.count : order < 0
                }
            }
        }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private var members: OrderedDictionary<Name, JSON> = [:]

    package init() {}

    /// Creates an object from its members. The last value of a repeated key wins.
    package init(_ members: some Sequence<(key: String, value: JSON)>) {
        self.members.reserveCapacity(members.underestimatedCount)
        for (key, value) in members { self[key] = value }
    }

    /// The value of a member. Setting nil removes the member; JSON null is ``JSON/null``.
    package subscript(key: String) -> JSON? {
        get { members[Name(text: key)] }
        set { members[Name(text: key)] = newValue }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }
    package var keys: [String] { members.keys.map(\.text) }

    /// Adds all members of another object. An existing member keeps its position and gets the new value.
    package mutating func merge(_ other: JSONObject) {
        for (key, value) in other { self[key] = value }
    }

    package func merging(_ other: JSONObject) -> JSONObject {
        var merged = self
        merged.merge(other)
        return merged
    }

    package func filter(_ isKept: (String, JSON) -> Bool) -> JSONObject {
        var kept = JSONObject()
        for (key, value) in self where isKept(key, value) { kept[key] = value }
        return kept
    }

    /// A set of names of members. Compares bytes: a set of strings would normalize each key, which is slow for keys with combining marks.
    package struct Names: Sendable, ExpressibleByArrayLiteral {
        fileprivate let names: Set<Name>

        package init(_ names: some Sequence<String>) {
            self.names = Set(names.map { Name(text: $0) })
        }

        package init(arrayLiteral names: String...) {
            self.init(names)
        }
    }

    /// Returns the object without the members of these names.
    package func without(_ excluded: Names) -> JSONObject {
        guard excluded.names.contains(where: { members[$0] != nil }) else { return self }
        var kept = JSONObject()
        for (name, value) in members where !excluded.names.contains(name) { kept.members[name] = value }
        return kept
    }

    /// Returns the members of these names, in the object's order.
    package func only(_ included: Names) -> JSONObject {
        var kept = JSONObject()
        for (name, value) in members where included.names.contains(name) { kept.members[name] = value }
        return kept
    }

    /// Returns the object with its keys in the order of their bytes.
    func sortedByName(mapping transform: (JSON) -> JSON) -> JSONObject {
        var sorted = JSONObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { sorted.members[name] = transform(value) }
        return sorted
    }
}

extension JSONObject: Sequence {
    package func makeIterator() -> some IteratorProtocol<(key: String, value: JSON)> {
        members.lazy.map { (key: $0.key.text, value: $0.value) }.makeIterator()
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
