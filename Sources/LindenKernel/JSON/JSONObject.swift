import Foundation

/// The members of a JSON object in their original order.
///
/// A small object is searched member by member, which is faster than hashing a key; a large one has an index.
package struct JSONObject: Sendable {
    /// A key that is compared by its bytes: Swift's String treats a precomposed é and e with a combining accent as equal, JSON treats them
    /// as two keys.
    fileprivate struct Name: Hashable, Comparable {
        let text: String
        /// The length and three bytes of the text. Most different names differ in it.
        let digest: UInt32

        init(_ text: String) {
            var text = text
            digest = text.withUTF8 { bytes in
                guard let last = bytes.last else { return 0 }
                return UInt32(truncatingIfNeeded: bytes.count) & 0xFF | UInt32(bytes[0]) << 8
                    | UInt32(bytes[bytes.count / 2]) << 16 | UInt32(last) << 24
            }
            self.text = text
        }

        static func == (left: Name, right: Name) -> Bool {
            left.digest == right.digest && left.text.hasSameBytes(as: right.text)
        }

        static func < (left: Name, right: Name) -> Bool { left.text.isBeforeByBytes(right.text) }

        func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
    }

    fileprivate struct Member: Sendable {
        let name: Name
        var value: JSON
    }

    private var members: [Member] = []
    /// The positions of the members; nil for a small object.
    private var index: [Name: Int]?

    /// The most members of an object without an index.
    private static let mostUnindexed = 32

    package init() {}

    /// Creates an object from its members. The last value of a repeated key wins.
    package init(_ members: some Sequence<(key: String, value: JSON)>) {
        self.members.reserveCapacity(members.underestimatedCount)
        for (key, value) in members { read(value, as: key) }
        endReading()
    }

    /// The value of a member. Setting nil removes the member; JSON null is ``JSON/null``.
    package subscript(key: String) -> JSON? {
        get { self[Name(key)] }
        set { self[Name(key)] = newValue }
    }

    private subscript(name: Name) -> JSON? {
        get { position(of: name).map { members[$0].value } }
        set {
            switch (position(of: name), newValue) {
            case (let position?, let value?): members[position].value = value
            case (nil, let value?): append(Member(name: name, value: value))
            case (let position?, nil): remove(at: position)
            case (nil, nil): break
            }
        }
    }

    private func position(of name: Name) -> Int? {
        if let index { return index[name] }
        // Reads the digests in place: a closure over whole members would copy each, which costs most of a look-up.
        return members.withUnsafeBufferPointer { members in
            for position in members.indices where members[position].name.digest == name.digest {
                if members[position].name == name { return position }
            }
            return nil
        }
    }

    /// Adds a member with a new name.
    private mutating func append(_ member: Member) {
        members.append(member)
        if index != nil { index?[member.name] = members.count - 1 } else { indexMembers() }
    }

    private mutating func remove(at position: Int) {
        members.remove(at: position)
        if index != nil { indexMembers() }
    }

    /// Makes the index, if the object is not small. Returns false, and makes none, if a name is repeated.
    @discardableResult private mutating func indexMembers() -> Bool {
        index = nil
        guard members.count > Self.mostUnindexed else { return true }
        var index = Dictionary<Name, Int>(minimumCapacity: members.count)
        for position in members.indices {
            guard index.updateValue(position, forKey: members[position].name) == nil else { return false }
        }
        self.index = index
        return true
    }

    /// Adds a member whose name may be repeated. ``endReading()`` must follow the last.
    mutating func read(_ value: JSON, as key: String) {
        members.append(Member(name: Name(key), value: value))
    }

    /// Ends the reading of members: the last value of a repeated name wins, at the place of the first.
    mutating func endReading() {
        guard members.count > Self.mostUnindexed ? !indexMembers() : hasRepeatedName else { return }
        var merged = JSONObject()
        for member in members { merged[member.name] = member.value }
        self = merged
    }

    private var hasRepeatedName: Bool {
        members.withUnsafeBufferPointer { members in
            for position in members.indices.dropFirst() {
                for other in 0..<position where members[position].name.digest == members[other].name.digest {
                    if members[position].name == members[other].name { return true }
                }
            }
            return false
        }
    }

    /// Appends the object as compact JSON text. Reads the members in place: an iterator would copy each.
    func write(to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        members.withUnsafeBufferPointer { members in
            for position in members.indices {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                JSON.write(members[position].name.text, to: &output)
                output.append(UInt8(ascii: ":"))
                members[position].value.write(to: &output)
            }
        }
        output.append(UInt8(ascii: "}"))
    }

    /// The memory in bytes of a member, without its text and the contents of its value.
    static var memberBytes: Int { MemoryLayout<Member>.stride - MemoryLayout<JSON>.stride }
    /// The memory in bytes of the index.
    var indexBytes: Int { (index?.capacity ?? 0) * 2 * (MemoryLayout<Name>.stride + MemoryLayout<Int>.stride) }

    package var isEmpty: Bool { members.isEmpty }
    package var count: Int { members.count }
    package var keys: [String] { members.map(\.name.text) }

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
        kept { isKept($0.name.text, $0.value) }
    }

    private func kept(where isKept: (Member) -> Bool) -> JSONObject {
        var kept = JSONObject()
        kept.members = members.filter(isKept)
        kept.indexMembers()
        return kept
    }

    /// A set of names of members. Compares bytes: a set of strings would normalize each key, which is slow for keys with combining marks.
    package struct Names: Sendable, ExpressibleByArrayLiteral {
        fileprivate let names: Set<Name>

        package init(_ names: some Sequence<String>) {
            self.names = Set(names.map { Name($0) })
        }

        package init(arrayLiteral names: String...) {
            self.init(names)
        }
    }

    /// Returns the object without the members of these names.
    package func without(_ excluded: Names) -> JSONObject {
        guard excluded.names.contains(where: { position(of: $0) != nil }) else { return self }
        return kept { !excluded.names.contains($0.name) }
    }

    /// Returns the members of these names, in the object's order.
    package func only(_ included: Names) -> JSONObject {
        kept { included.names.contains($0.name) }
    }

    /// Returns the object with its keys in the order of their bytes.
    func sortedByName(mapping transform: (JSON) -> JSON) -> JSONObject {
        var sorted = JSONObject()
        sorted.members = members.sorted { $0.name < $1.name }.map { Member(name: $0.name, value: transform($0.value)) }
        sorted.indexMembers()
        return sorted
    }
}

extension JSONObject: Sequence {
    /// A type of its own rather than a lazy map, which other modules cannot specialize.
    package struct Iterator: IteratorProtocol {
        fileprivate var members: IndexingIterator<[Member]>

        package mutating func next() -> (key: String, value: JSON)? {
            members.next().map { (key: $0.name.text, value: $0.value) }
        }
    }

    package func makeIterator() -> Iterator { Iterator(members: members.makeIterator()) }

    package var underestimatedCount: Int { members.count }
}
