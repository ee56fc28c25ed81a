import Foundation
import LindenKernel

/// A condition on exported rows in Branch's prefix form, such as `["and", ["eq", "name", "PURCHASE"], ["gt", "timestamp", 0]]`.
package struct ExportFilter: Sendable {
    /// The filter as it was requested.
    let json: JSON
    fileprivate let condition: Condition

    fileprivate indirect enum Condition: Sendable {
        case and([Condition])
        case or([Condition])
        case not(Condition)
        case compare(Comparison, ExportColumn, ComparedValue)
        /// Whether a column has one of these values: scalars by their text, others as they are.
        case oneOf(ExportColumn, ComparedTexts, others: [JSON])
    }

    /// The maximum number of values in a filter. Each row may be compared with all of them.
    package static let mostValues = 1000

    package enum Comparison: String, Sendable, CaseIterable {
        case equal = "eq"
        case notEqual = "ne"
        case greater = "gt"
        case greaterOrEqual = "gte"
        case less = "lt"
        case lessOrEqual = "lte"
        case oneOf = "in"
    }

    /// Parses a filter. Fails with `invalid`; the message says what is allowed.
    ///
    /// - Parameter zone: the zone of times without one that are compared with a column of times.
    package init(_ json: JSON, of topic: ExportTopic, zone: TimeZone = .gmt) throws {
        self.json = json
        var values = 0
        condition = try Condition(json, of: topic, zone, depth: 0, values: &values)
    }

    /// The columns that the condition refers to.
    var columns: [ExportColumn] { condition.columns }

    func matches(_ record: ExportRecord) -> Bool {
        var values = ComparedValues(record: record)
        return condition.matches(&values)
    }
}

/// The texts of a list in a filter.
private struct ComparedTexts: Sendable {
    private let texts: Set<BytewiseText>
    private let longest: Int

    init(_ texts: [String]) {
        self.texts = Set(texts.map(BytewiseText.init))
        longest = texts.map(\.utf8.count).max() ?? 0
    }

    func contains(_ text: String) -> Bool { text.utf8.count <= longest && texts.contains(BytewiseText(text)) }
}

/// A value that is compared, with the forms in which it is compared. Each is derived once, because hundreds of conditions may be about one
/// column of each row.
private struct ComparedValue: Sendable {
    private enum Number: Sendable {
        case integer(Int64)
        case real(Double)

        /// No number has more digits than are worth reading.
        static let mostDigits = 40

        init?(_ text: String) {
            guard text.utf8.count <= Self.mostDigits else { return nil }
            if let integer = Int64(text) {
                self = .integer(integer)
            } else if let real = Double(text) {
                self = .real(real)
            } else {
                return nil
            }
        }

        var real: Double {
            switch self {
            case .integer(let integer): Double(integer)
            case .real(let real): real
            }
        }
    }

    let json: JSON
    /// The text of a scalar; nil for null, an array or an object.
    let text: String?
    private let number: Number?

    init(_ json: JSON) {
        self.json = json
        text = json.scalarText
        number = text.flatMap(Number.init)
    }

    /// Compares scalars by the bytes of their text, so a number equals its text.
    func isEqual(to other: Self) -> Bool {
        if let text, let otherText = other.text { return text.hasSameBytes(as: otherText) }
        return json == other.json
    }

    /// Numbers and their texts are compared as numbers. Nothing is greater or less than null, an array or an object.
    func isLess(than other: Self) -> Bool {
        guard let text, let otherText = other.text else { return false }
        switch (number, other.number) {
        case (.integer(let integer), .integer(let otherInteger)): return integer < otherInteger
        case (let number?, let otherNumber?): return number.real < otherNumber.real
        default: return text.isBeforeByBytes(otherText)
        }
    }
}

/// The values of a record that a filter compares. Each is made once, because it may be a large text.
private struct ComparedValues {
    let record: ExportRecord
    private var known: [String: ComparedValue] = [:]

    init(record: ExportRecord) {
        self.record = record
    }

    mutating func value(of column: ExportColumn) -> ComparedValue {
        if let value = known[column.name] { return value }
        let value = ComparedValue(column.value(record).json)
        known[column.name] = value
        return value
    }
}

extension ExportFilter.Condition {
    /// - Parameter count: the number of values read so far.
    fileprivate init(
        _ json: JSON, of topic: ExportTopic, _ zone: TimeZone, depth: Int, values count: inout Int
    ) throws {
        guard depth < 16, let parts = json.array, let word = parts.first?.string, parts.count > 1 else {
            throw Failure.malformedFilter
        }
        let operands = parts.dropFirst()
        switch word {
        case "and": self = .and(try Self.conditions(operands, of: topic, zone, depth: depth + 1, values: &count))
        case "or": self = .or(try Self.conditions(operands, of: topic, zone, depth: depth + 1, values: &count))
        case "not":
            guard operands.count == 1 else { throw Failure.malformedFilter }
            self = .not(try Self(operands.first ?? .null, of: topic, zone, depth: depth + 1, values: &count))
        default:
            guard let comparison = ExportFilter.Comparison(rawValue: word), let field = parts[1].string else {
                throw Failure.malformedFilter
            }
            var values = parts.dropFirst(2).flatMap { $0.array ?? [$0] }
            count += values.count
            guard count <= ExportFilter.mostValues else { throw Failure.tooManyFilterValues }
            guard values.allSatisfy({ $0.array == nil && $0.object == nil }) else { throw Failure.malformedFilter }
            guard comparison == .oneOf ? !values.isEmpty : values.count == 1 else { throw Failure.malformedFilter }
            let column = try ExportColumn.column(named: field, of: topic)
            if field.hasSuffix("_iso") { values = try values.map { try Self.time($0, zone) } }
            self =
                comparison == .oneOf
                ? .oneOf(column, ComparedTexts(values.compactMap(\.scalarText)), others: values.filter { $0.scalarText == nil })
                : .compare(comparison, column, ComparedValue(values[0]))
        }
    }

    private static func conditions(
        _ operands: ArraySlice<JSON>, of topic: ExportTopic, _ zone: TimeZone, depth: Int, values count: inout Int
    ) throws -> [Self] {
        var conditions: [Self] = []
        for operand in operands {
            conditions.append(try Self(operand, of: topic, zone, depth: depth, values: &count))
        }
        return conditions
    }

    /// Converts a time in any accepted form to the form in which columns of times are compared.
    private static func time(_ value: JSON, _ zone: TimeZone) throws -> JSON {
        guard !value.isNull else { return value }
        return .string(try ExportRange.moment(value.scalarText ?? value.kind, isEnd: false, zone: zone).iso8601)
    }

    fileprivate var columns: [ExportColumn] {
        switch self {
        case .and(let conditions), .or(let conditions): conditions.flatMap(\.columns)
        case .not(let condition): condition.columns
        case .compare(_, let column, _), .oneOf(let column, _, others: _): [column]
        }
    }

    fileprivate func matches(_ values: inout ComparedValues) -> Bool {
        switch self {
        case .and(let filters): return filters.allSatisfy { $0.matches(&values) }
        case .or(let filters): return filters.contains { $0.matches(&values) }
        case .not(let filter): return !filter.matches(&values)
        case .compare(let comparison, let column, let value):
            return comparison.holds(between: values.value(of: column), and: value)
        case .oneOf(let column, let texts, others: let others):
            let value = values.value(of: column)
            return value.text.map(texts.contains) ?? others.contains(value.json)
        }
    }
}

extension ExportFilter.Comparison {
    fileprivate func holds(between value: ComparedValue, and other: ComparedValue) -> Bool {
        switch self {
        case .equal, .oneOf: value.isEqual(to: other)
        case .notEqual: !value.isEqual(to: other)
        case .greater: other.isLess(than: value)
        case .greaterOrEqual: other.isLess(than: value) || value.isEqual(to: other)
        case .less: value.isLess(than: other)
        case .lessOrEqual: value.isLess(than: other) || value.isEqual(to: other)
        }
    }
}

extension Failure {
    fileprivate static let tooManyFilterValues = invalid("A filter may have at most \(ExportFilter.mostValues) values in all.")

    fileprivate static let malformedFilter = invalid(
        "filter must be an array such as [\"eq\", \"name\", \"PURCHASE\"], [\"in\", \"user_data_os\", [\"IOS\", \"ANDROID\"]] or [\"and\", …, …]. "
            + "Its words are and, or, not, " + ExportFilter.Comparison.allCases.map(\.rawValue).joined(separator: ", ") + ".")
}
