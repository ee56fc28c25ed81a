/// The result of a lookup in a cache that also records which keys have no value. Inlinable and public, so that the compiler specializes it
/// in other targets.
public enum Lookup<Value> {
    case found(Value)
    /// The key is cached and has no value.
    case absent
    /// The key is not cached.
    case unknown

    /// Creates the result for a cached key.
    ///
    /// - Parameter value: nil for a key without a value.
    @inlinable public init(_ value: Value?) {
        if let value { self = .found(value) } else { self = .absent }
    }

    /// Whether the key is cached.
    @inlinable public var isKnown: Bool {
        if case .unknown = self { false } else { true }
    }

    /// The value; nil if the key has none or is not cached.
    @inlinable public var value: Value? {
        if case .found(let value) = self { value } else { nil }
    }

    /// Transforms a value that was found. The key counts as absent if the result is nil.
    @inlinable public func compactMap<Other>(_ transform: (Value) -> Other?) -> Lookup<Other> {
        switch self {
        case .found(let value): Lookup<Other>(transform(value))
        case .absent: .absent
        case .unknown: .unknown
        }
    }
}

extension Lookup: Sendable where Value: Sendable {}
