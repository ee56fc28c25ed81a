/// A JSON value with lossless round trips.
///
/// Link data belongs to the customer: the order of keys and every digit of 64-bit integers and decimals are preserved. Any number other
/// than a 64-bit integer is therefore stored as its original text.
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

    package var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    package var array: [JSON]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value that a string of an untrusted text holds as JSON; nil for anything else, and beyond ``JSONLimits/untrusted``.
    package var opened: JSON? { string.flatMap { try? JSON.parse($0, within: .untrusted) } }

    /// An object, or the one that a string of an untrusted text holds as JSON. Some SDKs send objects so.
    package var openedObject: JSONObject? { object ?? opened?.object }

    /// The value of an integer literal that fits in 64 bits.
    package var int64: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The name of the value's type, for error messages.
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
    /// Values are compared by meaning: the order of an object's keys does not matter. Texts are compared by their bytes.
    package static func == (left: JSON, right: JSON) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.integer(let a), .integer(let b)): a == b
        case (.decimal(let a), .decimal(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
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
