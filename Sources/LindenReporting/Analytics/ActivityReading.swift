import Linden
import LindenKernel

/// A consistent view of the data, as far as analytics queries need it: rollups, counted devices and logs.
package protocol AnalyticsReader: RollupReader, DeviceCountReader, ActivityReader, ExportReader, LinkReader, EventNameReader,
    InstallationReader
{}

/// Reads the rows that a query covers, each with the groups it belongs to.
final class ActivityReading {
    private let query: AnalyticsQuery
    private let reader: any AnalyticsReader
    private let rowLimit: Int
    private var values: ActivityValues
    private(set) var rowsRead = 0
    /// See ``AnalyticsAnswer/missing``.
    private(set) var missing = MissingRows()
    /// The stored spellings of the event names to read; nil as the only element reads all events.
    private lazy var eventNames: Result<[String?], any Error> = Result {
        try query.eventName.map { try reader.storedNames(of: $0, in: query.scope) } ?? [nil]
    }

    /// - Parameter rowLimit: the maximum number of log rows to read; beyond it, reading fails with `invalid`.
    init(of query: AnalyticsQuery, from reader: any AnalyticsReader, rowLimit: Int) {
        self.query = query
        self.reader = reader
        self.rowLimit = rowLimit
        values = ActivityValues(of: query, from: reader)
    }

    /// Visits the rows of a time range, up to the query's ``AnalyticsQuery/asOf``.
    ///
    /// - Parameters:
    ///   - counted: the last id that is to be left out.
    ///   - isErasureCounted: whether the rollups include erased rows, which then are not missing.
    func visit(
        _ log: ActivityLog, _ time: Range<Timestamp>, after counted: Int64 = 0, isErasureCounted: Bool = false,
        _ body: (AnalyticsRecord, [GroupValues]) throws -> Void
    ) throws {
        let first = max(IDGenerator.first(at: time.lowerBound), counted + 1)
        let until = min(time.upperBound, query.asOf ?? time.upperBound)
        let end = IDGenerator.first(at: until)
        guard first < end else { return }
        missing.add(
            try MissingRows(
                of: log, in: IDGenerator.time(of: first)..<until, topics: isErasureCounted ? [] : query.topics, query.scope,
                from: reader))
        try visit(log, first..<end, body)
    }

    /// Visits the rows of a time range that the rollups include although they came after the query's ``AnalyticsQuery/asOf``.
    ///
    /// - Parameter counted: the last id that the rollups include.
    func visitLater(
        _ log: ActivityLog, _ time: Range<Timestamp>, through counted: Int64,
        _ body: (AnalyticsRecord, [GroupValues]) throws -> Void
    ) throws {
        guard let asOf = query.asOf, asOf < time.upperBound else { return }
        let first = IDGenerator.first(at: max(asOf, time.lowerBound))
        let end = min(IDGenerator.first(at: time.upperBound), counted + 1)
        if first < end { try visit(log, first..<end, body) }
    }

    private func visit(_ log: ActivityLog, _ ids: Range<Int64>, _ body: (AnalyticsRecord, [GroupValues]) throws -> Void) throws {
        let topics = Set(query.topics)
        guard values.needsColumns else { return try read(log, ids) { try body($0, values.groups(of: $0)) } }
        for topic in query.topics where topic.log == log {
            var after = ids.lowerBound - 1
            while after < ids.upperBound - 1 {
                let page = try values.readColumns(
                    of: topic, in: query.scope, after: after, through: ids.upperBound - 1)
                try read(log, after + 1..<page + 1) { activity in
                    if activity.topic == topic { try body(activity, values.groups(of: activity)) }
                }
                after = page
            }
        }

        func read(_ log: ActivityLog, _ ids: Range<Int64>, _ body: (AnalyticsRecord) throws -> Void) throws {
            for name in try eventNames.get() {
                try reader.activities(
                    in: log, of: query.scope, from: ids.lowerBound, before: ids.upperBound, named: name,
                    isDetailed: values.needsDetails
                ) { activity in
                    rowsRead += 1
                    guard rowsRead <= rowLimit else {
                        throw Failure.invalid(
                            "This would read more than \(rowLimit) rows. Ask for a shorter span, or by one dimension, whose totals are kept."
                        )
                    }
                    if topics.contains(activity.topic) { try body(activity) }
                }
            }
        }
    }
}
