/// Figures beside each other: a row for each period and combination of values.
package struct Report: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// Nil for a column without figures.
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

    /// The column of the start of each period; nil for none.
    package let period: String?
    /// What the caller names the dimensions of the queries.
    package let dimensions: [String]
    package let columns: [Column]
    package let sorting: [Sorting]
    package let limit: Int

    /// How many rows are sorted before those beyond the limit are cut off.
    package static let mostRows = 100_000

    package var columnNames: [String] { [period].compactMap { $0 } + dimensions + columns.map(\.name) }

    /// Fails with `invalid` for columns that have one name, or where it is to be sorted by none of them.
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
        guard Set(names).count == names.count else { throw Failure.invalid("Each column must have a name of its own.") }
        if let unknown = sorting.first(where: { !names.contains($0.column) }) {
            throw Failure.invalid("\(unknown.column) is no column; there are \(names.joined(separator: ", ")).")
        }
    }
}

extension AnalyticsService {
    /// The rows of a report under the names of its columns; a figure that a row does not have is 0. Fails with `invalid` where there are more
    /// than ``Report/mostRows`` to be sorted, or where it would take too long.
    package func rows(of report: Report) async throws -> [JSONObject] {
        var places: [[String]: Int] = [:]
        var lines: [ReportLine] = []
        var rowsLeft = rowLimit
        for (index, column) in report.columns.enumerated() {
            guard let query = column.query else { continue }
            let (answer, rowsRead) = try await counts(query, rowLimit: rowsLeft)
            rowsLeft -= rowsRead
            for row in answer.rows {
                let texts = (report.period == nil ? [] : [row.period.startText]) + row.values
                let place = places[texts] ?? lines.count
                if place == lines.count {
                    // What comes after so many is cut off.
                    if report.sorting.isEmpty, lines.count == report.limit { continue }
                    guard lines.count < Report.mostRows else {
                        throw Failure.invalid(
                            "There are more than \(Report.mostRows) rows to sort. Ask for a shorter span or for fewer dimensions.")
                    }
                    places[texts] = place
                    lines.append(ReportLine(texts: texts, figures: Array(repeating: 0, count: report.columns.count)))
                }
                lines[place].figures[index] = row.figure
            }
        }
        if !report.sorting.isEmpty {
            let order = lines.indices.sorted { report.precedes(lines[$0], lines[$1]) ?? ($0 < $1) }
            lines = order.map { lines[$0] }
        }
        return lines.prefix(report.limit).map(report.members)
    }
}

/// A row of a report, in the order of its columns: texts first.
private struct ReportLine {
    let texts: [String]
    var figures: [Int128]
}

extension Report {
    /// Nil for equals.
    fileprivate func precedes(_ left: ReportLine, _ right: ReportLine) -> Bool? {
        for sorting in sorting {
            guard let column = columnNames.firstIndex(of: sorting.column) else { continue }
            let textCount = left.texts.count
            if column < textCount {
                let (left, right) = (left.texts[column], right.texts[column])
                if left != right { return (left < right) == sorting.isAscending }
            } else {
                let (left, right) = (left.figures[column - textCount], right.figures[column - textCount])
                if left != right { return (left < right) == sorting.isAscending }
            }
        }
        return nil
    }

    fileprivate func members(_ line: ReportLine) -> JSONObject {
        var members: JSONObject = [:]
        for (name, text) in zip(columnNames, line.texts) { members[name] = text.isEmpty ? .null : .string(text) }
        for (column, figure) in zip(columns, line.figures) {
            members[column.name] = column.query?.aggregation == .revenue ? .millionths(figure) : .integer(Int64(figure))
        }
        return members
    }

    /// With a line of names.
    package func csv(_ rows: [JSONObject]) -> [UInt8] {
        let names = columnNames
        let figures = Set(columns.map(\.name))
        return CSVTable.bytes(
            names,
            rows.map { row in
                names.map { name in
                    let text = row[name]?.scalarText ?? ""
                    return figures.contains(name) ? .decimal(text) : .text(text)
                }
            })
    }
}
