/// A kind of credits, such as `gold`; each user has a balance in each.
package struct Bucket: Sendable, Hashable {
    /// Branch's limit, in characters.
    package static let longest = 63
    /// What is meant where none is named. Every app has it.
    package static let standard = Bucket(known: "default")

    package let name: String

    /// The standard bucket for nil. Fails with `invalid` for what is no name.
    package init(_ name: String?) throws {
        guard let name else {
            self = .standard
            return
        }
        guard (1...Self.longest).contains(name.unicodeScalars.count), !name.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw Failure.invalid("bucket must have 1 to \(Self.longest) characters and no control characters.") }
        self.name = name
    }

    /// For a name from the database.
    package init(known name: String) {
        self.name = name
    }
}
