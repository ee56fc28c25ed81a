/// A row id with the type of its entity, so that a link's id cannot be used as a click's.
package struct Identifier<Entity>: RawRepresentable, Hashable, Sendable, Comparable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension Identifier: CustomStringConvertible {
    package var description: String { String(rawValue) }
}
