/// The change of an optional field in an update.
package enum FieldUpdate<Value> {
    case keep
    case clear
    case set(Value)

    /// Creates the update for a field that was given.
    ///
    /// - Parameter value: nil to clear the field.
    package init(_ value: Value?) {
        if let value { self = .set(value) } else { self = .clear }
    }

    /// Creates the update for a field that is kept unless a new value is given.
    package init(orKeep value: Value?) {
        if let value { self = .set(value) } else { self = .keep }
    }

    /// The new value; nil if the field is kept or cleared.
    package var value: Value? {
        if case .set(let value) = self { value } else { nil }
    }

    package func apply(to field: inout Value?) {
        switch self {
        case .keep: break
        case .clear: field = nil
        case .set(let value): field = value
        }
    }
}

extension FieldUpdate: Sendable where Value: Sendable {}
