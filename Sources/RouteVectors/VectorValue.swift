/// A JSON value of the routing vectors, reduced to the operations that they need.
package enum VectorValue: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case decimal(Double)
    case string(String)
    case array([VectorValue])
    case object([String: VectorValue])
}

extension VectorValue {
    package subscript(key: String) -> VectorValue? {
        if case .object(let fields) = self { fields[key] } else { nil }
    }

    var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var array: [VectorValue]? {
        if case .array(let values) = self { values } else { nil }
    }

    var object: [String: VectorValue]? {
        if case .object(let fields) = self { fields } else { nil }
    }

    var strings: [String]? { array?.compactMap(\.string) }

    init(_ text: String?) { self = text.map(VectorValue.string) ?? .null }
    init(_ texts: [String]) { self = .array(texts.map(VectorValue.string)) }
    init(_ texts: [String: String]) { self = .object(texts.mapValues(VectorValue.string)) }
}

extension VectorValue: CustomStringConvertible {
    /// A text close to JSON, for messages. Strings are escaped as in Swift.
    package var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): String(value)
        case .integer(let number): String(number)
        case .decimal(let number): String(number)
        case .string(let text): text.debugDescription
        case .array(let values): "[" + values.map(\.description).joined(separator: ", ") + "]"
        case .object(let fields):
            "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \($0.value)" }.joined(separator: ", ") + "}"
        }
    }
}
