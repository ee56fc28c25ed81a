/// A row id with the type of its entity, so that a link's id cannot be used as a click's.
///
/// Comparisons are written out and inlinable, because each click makes dozens of them in other targets. The standard library's for raw values
/// are generic.
package struct Identifier<Entity>: RawRepresentable, Hashable, Sendable, Comparable {
    package let rawValue: Int64

    @inlinable package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    @inlinable package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    @inlinable package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Identifier: CustomStringConvertible {
    package var description: String { String(rawValue) }
}

extension Identifier {
    /// Returns whether an id that a client remembers may have been issued by this server: it has the 18 digits that clients need, and is
    /// not from the future.
    package func isPlausible(at time: Timestamp) -> Bool {
        rawValue >= 100_000_000_000_000_000 && self.time <= time + .seconds(60)
    }
}
