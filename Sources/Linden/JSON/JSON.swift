/// A JSON value that comes back exactly as it went in.
///
/// Link data is the customer's: keys keep their order, 64-bit integers and decimals keep every digit. A number that is not a
/// 64-bit integer therefore stays the text it was written as.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Any other number, in its original spelling: `1.50`, `1e3`, `18446744073709551615`.
    case decimal(String)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    package var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// A whole number that is written as one.
    package var int64: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// What kind of value this is, in the words of an error message.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .decimal: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// A string, number or boolean as text; nil for everything else.
    package var scalarText: String? {
        switch self {
        case .string(let value), .decimal(let value): value
        case .integer(let value): String(value)
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

extension JSON: Equatable {
    /// Two values are equal when they say the same: the order of an object's keys does not matter.
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(JSONObject(elements.lazy.map { (key: $0.0, value: $0.1) }))
    }
    package init(nilLiteral: ()) { self = .null }
}

extension JSON {
    package init(_ value: String?) { self = value.map(JSON.string) ?? .null }
    package init(_ value: Int) { self = .integer(Int64(value)) }
    package init(_ value: [String]) { self = .array(value.map(JSON.string)) }
}
