import Linden
import LindenKernel
import LindenReporting

/// A request of `POST /v2/logs`: an export with chosen fields and filters (Branch, "Custom exports").
package struct LogsRequest {
    /// Branch's limits: the maximum age of the start and the maximum length of the range, in days, and the maximum number of rows.
    private static let longestAge: Int64 = 120
    private static let longestSpan: Int64 = 60
    private static let mostRows: Int64 = 15_000_000

    private static let known: Set<String> = [
        "report_type", "start_date", "end_date", "fields", "limit", "timezone", "filter", "response_format",
        "response_format_compression", "allow_multiple_files",
    ]

    package let export: ExportRequest

    /// Fails with `invalid`, with a message that states the allowed values.
    package init(_ body: RequestFields, scope: Scope, at now: Timestamp) throws {
        try body.allow(only: Self.known)
        guard let topic = body.text("report_type") else {
            throw Failure.invalid("report_type is missing: the topic of the export.")
        }
        guard let start = body.text("start_date"), let end = body.text("end_date") else {
            throw Failure.invalid(
                "start_date and end_date are missing: days, times in ISO 8601, or periods such as yesterday.",
                at: "start_date", "end_date")
        }
        let zone = try AnalyticsSpan.zone(named: body.text("timezone"))
        let range = try ExportRange(from: start, to: end, now: now, zone: zone, names: (from: "start_date", to: "end_date"))
        guard range.to <= range.from + .seconds(Self.longestSpan * 86400 + 3600) else {
            throw Failure.invalid(
                "An export may span at most \(Self.longestSpan) days: order several for a longer time.", at: "start_date")
        }
        guard range.from >= now - .seconds(Self.longestAge * 86400) else {
            throw Failure.invalid(
                "An export may begin at most \(Self.longestAge) days ago; `linden export` has no such limit.",
                at: "start_date")
        }
        var export = ExportRequest(scope: scope, topic: try ExportTopic(named: topic), range: range)
        guard let fields = body["fields"]?.array, !fields.isEmpty else {
            throw Failure.invalid("fields is missing: an array of the names of fields, or [\"all\"].")
        }
        let names = fields.map { $0.scalarText ?? $0.kind }
        export.columns =
            try names == ["all"] ? ExportColumn.known(of: export.topic) : ExportColumn.columns(named: names, of: export.topic)
        export.limit = try body["limit"].map { try Self.limit($0) } ?? Self.mostRows
        export.times = .branch(in: body.text("timezone") == nil ? nil : zone)
        if let filter = body["filter"], !filter.isNull { export.filter = try ExportFilter(filter, of: export.topic, zone: zone) }
        switch body.text("response_format") {
        case nil, "csv": export.format = .csv
        case "json": export.format = .ndjson
        case let other?: throw Failure.invalid("response_format must be csv or json, not \"\(other)\".")
        }
        switch body.text("response_format_compression") {
        case nil: break
        case "gz", "gzip": export.isGzipped = true
        case let other?: throw Failure.invalid("response_format_compression must be gz or left out, not \"\(other)\".")
        }
        // Validated and otherwise ignored: an export within the row limit is always one file.
        if body.text("allow_multiple_files") != nil, !body.isFlag("allow_multiple_files") {
            throw Failure.invalid("allow_multiple_files must be true or false.")
        }
        self.export = export
    }

    private static func limit(_ value: JSON) throws -> Int64 {
        guard let text = value.scalarText, let limit = Int64(text), (1...mostRows).contains(limit) else {
            throw Failure.invalid("limit must be a whole number from 1 to \(mostRows).")
        }
        return limit
    }
}
