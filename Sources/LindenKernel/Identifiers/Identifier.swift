/// A row id with the type of its entity, so that a link's id cannot be used as a click's.
///
/// Comparisons are written out, inlinable and public, because each click makes dozens of them in other targets: the standard library's for
/// raw values are generic, and the compiler specializes the generics of another target only if they are inlinable and public.
public struct Identifier<Entity>: RawRepresentable, Hashable, Sendable, Comparable {
    public let rawValue: Int64

    @inlinable public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    @inlinable public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    @inlinable public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }

    @inlinable public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Identifier: CustomStringConvertible {
    public var description: String { String(rawValue) }
}

extension Identifier {
    /// Returns whether an id that a client remembers may have been issued by this server: it has the 18 digits that clients need, and is
    /// not from the future.
    package func isPlausible(at time: Timestamp) -> Bool {
        rawValue >= 100_000_000_000_000_000 && self.time <= time + .seconds(60)
    }
}
