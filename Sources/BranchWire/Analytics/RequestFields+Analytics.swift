import Foundation
import LindenKernel
import LindenReporting
import LinkRouting

/// Fields that Branch's analytics calls have in common.
extension RequestFields {
    /// Returns the time range from `start_date` (inclusive) to `end_date` (exclusive). The zone is the one of `timezone`, else of
    /// `start_date`, else of `end_date`, else UTC. If both are the same date or the same named period, such as `last-month`, the range is
    /// that day or period. Days follow the rules of a named `timezone`; without one they have the UTC offset of `start_date` throughout.
    func analyticsSpan(longestDays: Int64, start: String? = nil, now: Timestamp) throws -> AnalyticsSpan {
        let (first, last) = (try start ?? required("start_date"), try required("end_date"))
        let zone =
            try text("timezone").map { try AnalyticsSpan.zone(named: $0) } ?? Timestamp.zone(iso8601: first)
            ?? Timestamp.zone(iso8601: last) ?? .gmt
        let isDay = first == last && Timestamp(iso8601: first) == nil
        let from = try Self.moment("start_date", first, zone, isLast: false, now)
        let to = try Self.moment("end_date", last, zone, isLast: isDay, now).afterLastSecond
        guard from < to else {
            throw Failure.invalid(
                "end_date must be after start_date, or the same date for one day; otherwise end_date itself does not count.")
        }
        guard to.milliseconds - from.milliseconds <= AnalyticsSpan.longest(days: longestDays) else {
            throw Failure.invalid("From start_date to end_date there may be at most \(longestDays) days.")
        }
        return try AnalyticsSpan(start: from, end: to, zone: zone)
    }

    private static func moment(
        _ name: String, _ text: String, _ zone: TimeZone, isLast: Bool, _ now: Timestamp
    ) throws -> Timestamp {
        guard let letter = text.first, letter.isLetter || text.hasSuffix("d") else {
            return try AnalyticsSpan.moment(name, text, zone, isLast: isLast)
        }
        let period = try DateExpression(name, text, now: now, zone: zone)
        return isLast ? period.end : period.start
    }

    /// Returns the dimensions with the names that the caller used. `timestamp` is skipped, because rows are grouped by period in any case.
    func analyticsDimensions() throws -> [(name: String, dimension: LindenReporting.Dimension)] {
        guard let value = self["dimensions"] else { throw Failure.invalid("dimensions is missing.") }
        return try Self.texts(value, "dimensions").filter { $0 != "timestamp" }.map {
            ($0, try LindenReporting.Dimension(named: $0))
        }
    }

    /// Parses `ordered` and `ordered_by`: a dimension, the aggregation, or `timestamp`.
    func analyticsOrder() throws -> (order: AnalyticsQuery.Order, dimension: LindenReporting.Dimension?, isLatestFirst: Bool) {
        let order = try text("ordered").map { try AnalyticsQuery.Order(named: $0) } ?? .descending
        guard let name = text("ordered_by"), AnalyticsQuery.Aggregation(rawValue: name) == nil else { return (order, nil, false) }
        guard name != "timestamp" else { return (.descending, nil, order == .descending) }
        return (order, try LindenReporting.Dimension(named: name), false)
    }

    /// Parses filters such as `{"channel":["mail"],"!country":["DE"]}`. Like JSON null, the string `"null"` matches rows without a value
    /// (Branch's recipes).
    ///
    /// - Parameter dimension: parses the name of a dimension.
    func analyticsFilters(
        _ dimension: (String) throws -> LindenReporting.Dimension = { try LindenReporting.Dimension(named: $0) }
    ) throws -> [AnalyticsQuery.Filter] {
        guard let value = self["filters"], !value.isNull else { return [] }
        guard let members = value.object else {
            throw Failure.invalid("filters must be an object of lists, such as {\"channel\":[\"mail\"]}, not \(value.kind).")
        }
        return try members.map { name, values in
            let isNegated = name.hasPrefix("!")
            let texts = values.isNull ? [""] : try Self.texts(values, "The filter \(name)")
            return try AnalyticsQuery.Filter(
                dimension(isNegated ? String(name.dropFirst()) : name), texts.contains("null") ? texts + [""] : texts,
                isNegated: isNegated)
        }
    }

    /// Returns a list of strings; a single string is a list of one. Null becomes the empty string, which stands for no value.
    static func texts(_ value: JSON?, _ name: String) throws -> [String] {
        if let text = value?.string { return [text] }
        let texts = value?.array?.map { $0.isNull ? "" : $0.scalarText }
        guard let texts, !texts.contains(nil) else { throw Failure.invalid("\(name) must be a list of strings.") }
        return texts.compactMap { $0 }
    }

    func required(_ name: String) throws -> String {
        guard let text = text(name) else { throw Failure.invalid("\(name) is missing.") }
        return text
    }

    /// Fails with `invalid` if there is any other field.
    func allow(only known: Set<String>) throws {
        guard let unknown = members.without(JSONObject.Names(known)).keys.first else { return }
        throw Failure.invalid("\(unknown) is not allowed here. Allowed are \(known.sorted().joined(separator: ", ")).")
    }

    /// Whether the result includes periods that have no rows.
    func zeroFill() throws -> Bool { try switched("zero_fill") }

    /// Returns a Boolean field, false if absent. Fails with `invalid` for any other value.
    func switched(_ name: String) throws -> Bool {
        guard text(name) == nil || isFlag(name) else { throw Failure.invalid("\(name) must be true or false.") }
        return flag(name)
    }

    /// Returns the granularity, which must be one of `allowed`; `all` if the field is absent.
    func granularity(_ allowed: [Granularity]) throws -> Granularity {
        guard let name = text("granularity") else { return .all }
        guard let granularity = Granularity(rawValue: name), allowed.contains(granularity) else {
            throw Failure.invalid("granularity must be one of \(allowed.map(\.rawValue).joined(separator: ", ")).")
        }
        return granularity
    }
}

extension Timestamp {
    /// The end of the minute for a time in the minute's last second, else the time itself. Callers end a day with `23:59:59` and mean all
    /// of it.
    fileprivate var afterLastSecond: Timestamp {
        let rest = milliseconds % 60_000
        return rest >= 59_000 ? Timestamp(milliseconds: milliseconds - rest + 60_000) : self
    }
}
