import Linden
import LindenKernel

/// The values of a query's dimensions for each row, including values that are not stored in the row itself.
struct ActivityValues {
    private let query: AnalyticsQuery
    private let reader: any AnalyticsReader
    private let asked: [Dimension]
    private let columns: [String]
    private var links = CreditedLinks()
    private let visitors = VisitorCache()
    /// The rows of the current page by id, for the values of columns.
    private var records: [Int64: ExportRecord] = [:]

    init(of query: AnalyticsQuery, from reader: any AnalyticsReader) {
        self.query = query
        self.reader = reader
        asked = query.dimensions + query.filters.map(\.dimension)
        columns = asked.compactMap { if case .column(let name) = $0 { name } else { nil } }
    }

    var needsColumns: Bool { !columns.isEmpty }

    /// Whether rows are read with their ``ActivityDetails``.
    var needsDetails: Bool {
        asked.contains { dimension in
            switch dimension {
            case .os, .referrer, .userPlatform, .fromDesktop, .touch: true
            case .platform, .country, .channel, .campaign, .feature, .name, .link, .attributed, .browser, .language, .hourOfDay,
                .column:
                false
            }
        }
    }

    /// Returns the combinations of values that a row is counted under: one, or one for each element of a list; none if a filter rejects the
    /// row.
    mutating func groups(of activity: AnalyticsRecord) throws -> [GroupValues] {
        for filter in query.filters where try !filter.admits(anyOf: values(of: filter.dimension, activity)) { return [] }
        var groups: [GroupValues] = [[]]
        for dimension in query.dimensions {
            let values = try values(of: dimension, activity)
            try GroupLimit.check(groups.count * values.count)
            groups = groups.flatMap { group in values.map { GroupValues(group.texts + [$0]) } }
        }
        return groups
    }

    /// The most bytes of a value; the rest is cut off. Apps and their users write the values of columns and of link data.
    private static let longestValue = 512

    /// Returns at least one value; an empty text for none.
    private mutating func values(of dimension: Dimension, _ activity: AnalyticsRecord) throws -> [String] {
        switch dimension {
        case .touch(let key):
            let values = try links.values(of: key, for: activity, from: reader)
            return values.isEmpty ? [""] : values.map { $0.prefix(bytes: Self.longestValue) }
        case .hourOfDay: return [query.span.hourOfDay(of: activity.time)]
        case .column(let name): return [text(ofColumn: name, activity).prefix(bytes: Self.longestValue)]
        default: return [activity.value(of: dimension)]
        }
    }

    // MARK: Columns of exports

    /// An empty touch, which marks a row as attributed. The values of the link's data are read by ``CreditedLinks``.
    private static let credited = ExportTouch([:], writer: ExportWriter([], .csv), isWrittenOnly: false)

    /// Reads the columns of the next rows of a topic.
    ///
    /// - Returns: the last id that was examined.
    mutating func readColumns(of topic: Topic, in scope: Scope, after id: Int64, through last: Int64) throws -> Int64 {
        let topic = ExportTopic(topic)
        let projection = try columns.reduce(into: ExportRow.Projection()) { projection, name in
            if ExportColumn.known.contains(name) {
                projection.formUnion(try ExportColumn.column(named: name, of: topic).projection)
            }
        }
        let page = try reader.exportRows(of: topic, projection, in: scope, after: id, through: last, limit: ExportPageLimit())
        let publicIDs = PublicIDs(key: try reader.knownInstallationKey())
        records = [:]
        for row in page.rows {
            let body = try row.body.map { try JSON.parse($0).object ?? [:] } ?? [:]
            records[row.id] = ExportRecord(
                row, in: scope, body: body, touch: row.link == nil ? nil : Self.credited, showsAddress: false, publicIDs: publicIDs,
                visitors: visitors)
        }
        return page.through
    }

    private func text(ofColumn name: String, _ activity: AnalyticsRecord) -> String {
        guard let record = records[activity.id], let value = ExportColumn.value(name) else { return "" }
        switch value(record).json {
        case .null: return ""
        case let value: return value.scalarText ?? value.text
        }
    }
}
