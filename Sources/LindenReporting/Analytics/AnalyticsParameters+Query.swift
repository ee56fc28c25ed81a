import LindenKernel
import LinkRouting

extension AnalyticsParameters {
    /// The parameters that may be given more than once.
    package static let repeatable: Set<String> = ["topic", "by", "filter"]

    /// Reads the parameters of an address, as they are named over HTTP; those without a value count as missing. Fails with `invalid` for a
    /// number or truth value that is none.
    package init(_ items: [QueryItem]) throws {
        self.init()
        func values(_ name: String) -> [String] { items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }
        func value(_ name: String) -> String? { values(name).first }
        func number(_ name: String) throws -> Int? {
            try value(name).map { text in
                guard let number = Int(text) else { throw Failure.invalid("\(name) must be a whole number.") }
                return number
            }
        }
        if let from = value("from") { self.from = from }
        to = value("to")
        if let timezone = value("timezone") { self.timezone = timezone }
        if value("topic") != nil { topics = values("topic") }
        by = values("by")
        filters = values("filter")
        if let aggregation = value("aggregation") { self.aggregation = aggregation }
        if let granularity = value("granularity") { self.granularity = granularity }
        if let order = value("ordered") { self.order = order }
        orderedBy = value("ordered_by")
        switch value("zero_fill") {
        case "true", "1": fillsZeros = true
        case nil, "false", "0": fillsZeros = false
        default: throw Failure.invalid("zero_fill must be true or false.")
        }
        limit = try number("limit")
        if let offset = try number("after") { self.offset = offset }
        if let event = value("event") { self.event = event }
        days = try number("days")
    }
}
