import LindenKernel

/// A kind of credits, such as `gold`. Each identity has a separate balance in each bucket.
package struct Bucket: Sendable, Hashable {
    /// The maximum length of a name in characters: Branch's limit.
    package static let longest = 63
    /// The maximum number of buckets of one user: those in which the user ever had credits, since accounts are kept. Each is a row of every
    /// answer with the user's balances, and of a merge, so it bounds what one call may cost. Servers of a cluster that post for one user at
    /// the same moment may each add one more.
    package static let mostOfUser = 100
    /// The bucket of calls that name none. Every app has it.
    package static let standard = Bucket(known: "default")

    package let name: String

    /// Validates a name; nil means the standard bucket. Fails with `invalid` for an invalid name.
    package init(_ name: String?) throws {
        guard let name else {
            self = .standard
            return
        }
        guard (1...Self.longest).contains(name.unicodeScalars.count), !name.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { throw Failure.invalid("bucket must have 1 to \(Self.longest) characters and no control characters.") }
        self.name = name
    }

    /// Compares bytes, as databases do: two spellings of `café` name two buckets.
    package static func == (one: Bucket, other: Bucket) -> Bool { one.name.hasSameBytes(as: other.name) }

    package func hash(into hasher: inout Hasher) {
        name.hashBytes(into: &hasher)
    }

    /// Wraps a name read from the database, without validation.
    package init(known name: String) {
        self.name = name
    }
}
