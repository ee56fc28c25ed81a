import Foundation
import Linden
import LinkRouting

/// The parts that Branch's calls about figures have in common.
extension RequestFields {
    /// From `start_date` on and before `end_date`.
    func analyticsSpan(longestDays: Int64, start: String? = nil) throws -> AnalyticsSpan {
        let from = try AnalyticsSpan.moment("start_date", try start ?? required("start_date"), .gmt, isLast: false)
        let to = try AnalyticsSpan.moment("end_date", try required("end_date"), .gmt, isLast: false)
        guard from < to else { throw Failure.invalid("end_date must be after start_date; the day itself does not count.") }
        guard to.milliseconds - from.milliseconds <= longestDays * Timestamp.millisecondsPerDay else {
            throw Failure.invalid("From start_date to end_date there may be at most \(longestDays) days.")
        }
        return try AnalyticsSpan(start: from, end: to)
    }

    /// `{"channel":["mail"],"!country":["DE"]}`.
    func analyticsFilters() throws -> [AnalyticsQuery.Filter] {
        guard let value = self["filters"], !value.isNull else { return [] }
        guard let members = value.object else {
            throw Failure.invalid("filters must be an object of lists, such as {\"channel\":[\"mail\"]}, not \(value.kind).")
        }
        return try members.map { name, values in
            try AnalyticsQuery.Filter(name, try Self.texts(values, "The filter \(name)"))
        }
    }

    /// A list of texts, or one. Null is what has none.
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

    /// Fails with `invalid` for a field that is none of these.
    func allow(only known: Set<String>) throws {
        guard let unknown = members.keys.first(where: { !known.contains($0) }) else { return }
        throw Failure.invalid("\(unknown) is not allowed here; there are \(known.sorted().joined(separator: ", ")).")
    }

    /// Whether periods without anything are to be there, too.
    func zeroFill() throws -> Bool {
        guard text("zero_fill") == nil || isFlag("zero_fill") else { throw Failure.invalid("zero_fill must be true or false.") }
        return flag("zero_fill")
    }

    /// Of a list; absent for none.
    func granularity(_ allowed: [Granularity]) throws -> Granularity {
        guard let name = text("granularity") else { return .all }
        guard let granularity = Granularity(rawValue: name), allowed.contains(granularity) else {
            throw Failure.invalid("granularity must be one of \(allowed.map(\.rawValue).joined(separator: ", ")).")
        }
        return granularity
    }
}
