import LindenKernel

/// The value of one cell of an export.
package enum ExportValue: Sendable {
    case none
    case text(String)
    case integer(Int64)
    /// A number in its original spelling.
    case decimal(String)
    case bool(Bool)
    /// A time. Files have it in the form of ``ExportTimes``, ``json`` in ISO 8601.
    case time(Timestamp)
    /// An array or an object.
    case json(JSON)

    init(_ text: String?) {
        self = text.map { $0.isEmpty ? .none : .text($0) } ?? .none
    }

    package init(_ value: JSON?) {
        switch value {
        case nil, .null: self = .none
        case .string(let text): self.init(text)
        case .integer(let number): self = .integer(number)
        case .decimal(let text): self = .decimal(text)
        case .bool(let truth): self = .bool(truth)
        case .array, .object: self = .json(value!)
        }
    }

    /// The value in the form that filters compare.
    var json: JSON {
        switch self {
        case .none: .null
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .decimal(let text): .decimal(text)
        case .bool(let truth): .bool(truth)
        case .time(let time): .string(time.iso8601)
        case .json(let value): value
        }
    }
}
