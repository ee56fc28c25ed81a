import Foundation

/// A condition on exported rows in Branch's prefix form, such as `["and", ["eq", "name", "PURCHASE"], ["gt", "timestamp", 0]]`.
package struct ExportFilter: Sendable {
    /// The filter as it was requested.
    let json: JSON
    fileprivate let condition: Condition

    fileprivate indirect enum Condition: Sendable {
        case and([Condition])
        case or([Condition])
        case not(Condition)
        case compare(Comparison, ExportColumn, [JSON])
    }

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
        condition = try Condition(json, of: topic, zone, depth: 0)
    }

    /// The columns that the condition refers to.
    var columns: [ExportColumn] { condition.columns }

    func matches(_ record: ExportRecord) -> Bool { condition.matches(record) }
}

extension ExportFilter.Condition {
    fileprivate init(_ json: JSON, of topic: ExportTopic, _ zone: TimeZone, depth: Int) throws {
        guard depth < 16, let parts = json.array, let word = parts.first?.string, parts.count > 1 else {
            throw Failure.malformedFilter
        }
        let operands = parts.dropFirst()
        switch word {
        case "and": self = .and(try operands.map { try Self($0, of: topic, zone, depth: depth + 1) })
        case "or": self = .or(try operands.map { try Self($0, of: topic, zone, depth: depth + 1) })
        case "not":
            guard operands.count == 1 else { throw Failure.malformedFilter }
            self = .not(try Self(operands.first ?? .null, of: topic, zone, depth: depth + 1))
        default:
            guard let comparison = ExportFilter.Comparison(rawValue: word), let field = parts[1].string else {
                throw Failure.malformedFilter
            }
            let values = parts.dropFirst(2).flatMap { $0.array ?? [$0] }
            guard comparison == .oneOf ? !values.isEmpty : values.count == 1 else { throw Failure.malformedFilter }
            let column = try ExportColumn.column(named: field, of: topic)
            self = .compare(comparison, column, field.hasSuffix("_iso") ? try values.map { try Self.time($0, zone) } : values)
        }
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
        case .compare(_, let column, _): [column]
        }
    }

    fileprivate func matches(_ record: ExportRecord) -> Bool {
        switch self {
        case .and(let filters): filters.allSatisfy { $0.matches(record) }
        case .or(let filters): filters.contains { $0.matches(record) }
        case .not(let filter): !filter.matches(record)
        case .compare(let comparison, let column, let values):
            comparison.holds(between: column.value(record).json, and: values)
        }
    }
}

extension ExportFilter.Comparison {
    /// Compares scalars by their text, so a number equals its text. Nothing is greater or less than null, an array or an object.
    fileprivate func holds(between value: JSON, and others: [JSON]) -> Bool {
        switch self {
        case .equal, .oneOf: others.contains { Self.areEqual(value, $0) }
        case .notEqual: !others.contains { Self.areEqual(value, $0) }
        case .greater: others.contains { Self.isLess($0, value) }
        case .greaterOrEqual: others.contains { Self.isLess($0, value) || Self.areEqual($0, value) }
        case .less: others.contains { Self.isLess(value, $0) }
        case .lessOrEqual: others.contains { Self.isLess(value, $0) || Self.areEqual(value, $0) }
        }
    }

    private static func areEqual(_ left: JSON, _ right: JSON) -> Bool {
        if let a = left.scalarText, let b = right.scalarText { return a == b }
        return left == right
    }

    private static func isLess(_ left: JSON, _ right: JSON) -> Bool {
        guard let a = left.scalarText, let b = right.scalarText else { return false }
        if let a = Int64(a), let b = Int64(b) { return a < b }
        if let a = Double(a), let b = Double(b) { return a < b }
        return a < b
    }
}

extension Failure {
    fileprivate static let malformedFilter = invalid(
        "filter must be an array such as [\"eq\", \"name\", \"PURCHASE\"], [\"in\", \"user_data_os\", [\"IOS\", \"ANDROID\"]] or [\"and\", …, …]. "
            + "Its words are and, or, not, " + ExportFilter.Comparison.allCases.map(\.rawValue).joined(separator: ", ") + ".")
}
