import Foundation
import LindenKernel
import LindenReporting

/// A query whether the data of one hour is complete (Branch, Custom Exports API).
package struct DataReadyRequest: Sendable {
    private let date: String
    private let hour: Timestamp

    package init(_ fields: RequestFields) throws {
        guard let date = fields.text("date"), let hour = Timestamp(iso8601: date, zone: .gmt) else {
            throw Failure.invalid("date must be a time in UTC, such as 2027-01-31 18:00:00.")
        }
        self.date = date
        self.hour = hour
        guard ["EVENT", "AGGREGATE"].contains(fields.text("warehouse_meta_type") ?? "EVENT") else {
            throw Failure.invalid("warehouse_meta_type must be EVENT or AGGREGATE.")
        }
        if let topic = fields.text("topic"), !Self.uncounted.contains(topic) {
            _ = try Topic.topics(named: topic.hasSuffix("_blocked") ? String(topic.dropLast("_blocked".count)) : topic)
        }
    }

    /// Topics that Branch exports in addition to the ones that analytics know. Linden never has rows for them.
    private static let uncounted: Set<String> = [
        "webhook2", "skadnetwork_valid_messages", "skadnetwork_invalid_messages", "eo_san_touch",
    ]

    package func response(settledUntil settled: Timestamp) -> JSON {
        ["data_ready": .bool(hour + .seconds(3600) <= settled), "date": .string(date)]
    }
}
