import LindenKernel

/// A table of several queries: one row for each period and combination of values, one column for each query.
package struct Report: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// Nil for a column whose figure is always 0.
        package let query: AnalyticsQuery?

        package init(name: String, query: AnalyticsQuery?) {
            self.name = name
            self.query = query
        }
    }

    package struct Sorting: Sendable {
        package let column: String
        package let isAscending: Bool

        package init(column: String, isAscending: Bool) {
            self.column = column
            self.isAscending = isAscending
        }
    }

    /// The name of the column with the start of each period; nil for no such column.
    package let period: String?
    /// The caller's names of the queries' dimensions.
    package let dimensions: [String]
    package let columns: [Column]
    package let sorting: [Sorting]
    package let limit: Int

    /// The maximum number of rows that are sorted before the limit is applied.
    package static let mostRows = 100_000
    /// The most figures of all rows together.
    fileprivate static let mostFigures = 400_000

    package var columnNames: [String] { [period].compactMap { $0 } + dimensions + columns.map(\.name) }

    /// Fails with `invalid` for a limit out of range, for column names that are not unique, and for sorting by an unknown column.
    package init(period: String?, dimensions: [String], columns: [Column], sorting: [Sorting], limit: Int?) throws {
        self.period = period
        self.dimensions = dimensions
        self.columns = columns
        self.sorting = sorting
        self.limit = limit ?? AnalyticsQuery.mostRows
        guard (1...AnalyticsQuery.mostRows).contains(self.limit) else {
            throw Failure.invalid("limit must be from 1 to \(AnalyticsQuery.mostRows).")
        }
        let names = columnNames
        guard Set(names).count == names.count else { throw Failure.invalid("Each column must have a different name.") }
        guard Set(sorting.map(\.column)).count == sorting.count else {
            throw Failure.invalid("sort_columns may name each column once.")
        }
        if let unknown = sorting.first(where: { !names.contains($0.column) }) {
            throw Failure.invalid("\(unknown.column) is not a column. The columns are \(names.joined(separator: ", ")).")
        }
    }
}

extension AnalyticsService {
    /// The time after which no further query of a report begins. Questions of other apps wait for its turn.
    private static let longestReport: Duration = .seconds(30)

    /// Returns the rows of a report, with the names of its columns; a figure that a row lacks is 0. Fails with `invalid` if there
    /// are more than ``Report/mostRows`` rows to sort, if the queries would read more than ``rowLimit`` log rows, or if they
    /// take too long together.
    package func rows(of report: Report) async throws -> ReportRows {
        var places: [GroupValues: Int] = [:]
        var lines: [ReportLine] = []
        var rowsLeft = rowLimit
        // Each query has one of its own; the rows of all together must not take more.
        var limit = GroupLimit()
        let end = ContinuousClock.now + Self.longestReport
        for (index, column) in report.columns.enumerated() {
            guard let query = column.query else { continue }
            guard ContinuousClock.now < end else {
                throw Failure.invalid("The report takes too long. Ask for a shorter span, or for fewer figures or dimensions.")
            }
            let (answer, rowsRead) = try await counts(query, rowLimit: rowsLeft, mostRows: AnalyticsQuery.mostGroups)
            rowsLeft -= rowsRead
            for row in answer.rows {
                let texts = GroupValues(report.period == nil ? row.values : [row.period.startText] + row.values)
                let place = places[texts] ?? lines.count
                if place == lines.count {
                    // Without sorting, rows beyond the limit are never returned.
                    if report.sorting.isEmpty, lines.count == report.limit { continue }
                    let most = min(Report.mostRows, Report.mostFigures / report.columns.count)
                    guard lines.count < most else {
                        throw Failure.invalid(
                            "There are more than \(most) rows to sort. Ask for a shorter span or for fewer dimensions.")
                    }
                    try limit.check(place + 1, after: place, adding: [texts])
                    places[texts] = place
                    lines.append(ReportLine(texts: texts.texts, figures: Array(repeating: 0, count: report.columns.count)))
                }
                lines[place].figures[index] = row.figure
            }
        }
        if !report.sorting.isEmpty {
            let sorting = report.sortedColumns
            let order = lines.indices.sorted { sorting.precedes(lines[$0], lines[$1]) ?? ($0 < $1) }
            lines = order.map { lines[$0] }
        }
        return ReportRows(report: report, lines: lines.prefix(report.limit))
    }
}

/// The rows of a report as JSON objects. They are made one after another, because together they take several times the memory of the file.
package struct ReportRows: Sequence, Sendable {
    fileprivate let report: Report
    fileprivate let lines: ArraySlice<ReportLine>

    package var count: Int { lines.count }

    package func makeIterator() -> some IteratorProtocol<JSONObject> { lines.lazy.map(report.members).makeIterator() }
}

/// A row of a report in the order of its columns, texts before figures.
private struct ReportLine: Sendable {
    let texts: [String]
    var figures: [Int128]
}

/// A column that rows are sorted by.
private struct SortedColumn {
    let index: Int
    let isAscending: Bool
}

extension [SortedColumn] {
    /// Returns nil for rows that compare equal.
    fileprivate func precedes(_ left: ReportLine, _ right: ReportLine) -> Bool? {
        for column in self {
            let textCount = left.texts.count
            if column.index < textCount {
                let (left, right) = (left.texts[column.index], right.texts[column.index])
                if left.isBeforeByBytes(right) { return column.isAscending }
                if right.isBeforeByBytes(left) { return !column.isAscending }
            } else {
                let (left, right) = (left.figures[column.index - textCount], right.figures[column.index - textCount])
                if left != right { return (left < right) == column.isAscending }
            }
        }
        return nil
    }
}

extension Report {
    fileprivate var sortedColumns: [SortedColumn] {
        let names = columnNames
        return sorting.compactMap { sorting in
            names.firstIndex(of: sorting.column).map { SortedColumn(index: $0, isAscending: sorting.isAscending) }
        }
    }

    fileprivate func members(_ line: ReportLine) -> JSONObject {
        var members: JSONObject = [:]
        for (name, text) in zip(columnNames, line.texts) { members[name] = text.isEmpty ? .null : .string(text) }
        for (column, figure) in zip(columns, line.figures) {
            members[column.name] = column.query?.aggregation.json(figure) ?? .integer(Int64(clamping: figure))
        }
        return members
    }

    /// Returns the rows as CSV with a header line. Fails with `invalid` if that is longer than a number of bytes.
    package func csv(_ rows: some Sequence<JSONObject>, upTo mostBytes: Int) throws -> [UInt8] {
        let names = columnNames
        let figures = Set(columns.map(\.name))
        var table = try CSVTable(names, upTo: mostBytes)
        for row in rows {
            try table.add(
                names.map { name in
                    let text = row[name]?.scalarText ?? ""
                    return figures.contains(name) ? .decimal(text) : .text(text)
                })
        }
        return table.bytes
    }
}
