/// Figures beside each other: a row for each period and combination of values.
package struct Report: Sendable {
    package struct Column: Sendable {
        package let name: String
        /// Nil if its whole span is still to come.
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
    /// The rows of a report under the names of its columns; a figure that a row does not have is 0.
    package func rows(of report: Report) async throws -> [JSONObject] {
        var places: [[String]: Int] = [:]
        var rows: [JSONObject] = []
        for column in report.columns {
            guard let query = column.query else { continue }
            for row in try await counts(query).rows {
                let key = (report.period == nil ? [] : [row.period.startText]) + row.values
                let place = places[key] ?? rows.count
                if place == rows.count {
                    places[key] = place
                    var members: JSONObject = [:]
                    if let period = report.period { members[period] = .string(row.period.startText) }
                    for (name, value) in zip(report.dimensions, row.values) {
                        members[name] = value.isEmpty ? .null : .string(value)
                    }
                    for column in report.columns { members[column.name] = .integer(0) }
                    rows.append(members)
                }
                rows[place][column.name] = query.aggregation == .revenue ? .millionths(row.figure) : .integer(row.figure)
            }
        }
        if !report.sorting.isEmpty {
            let order = rows.indices.sorted { report.precedes(rows[$0], rows[$1]) ?? ($0 < $1) }
            rows = order.map { rows[$0] }
        }
        return Array(rows.prefix(report.limit))
    }
}

extension Report {
    /// Nil for equals.
    fileprivate func precedes(_ left: JSONObject, _ right: JSONObject) -> Bool? {
        for sorting in sorting {
            let texts = [left, right].map { $0[sorting.column]?.scalarText ?? "" }
            let isFigure = columns.contains { $0.name == sorting.column }
            let isLess = isFigure ? (Double(texts[0]) ?? 0) < (Double(texts[1]) ?? 0) : texts[0] < texts[1]
            if texts[0] != texts[1] { return isLess == sorting.isAscending }
        }
        return nil
    }

    /// RFC 4180 with a line of names. A cell that a spreadsheet would take for a formula gets an apostrophe before it (OWASP, "CSV injection").
    package func csv(_ rows: [JSONObject]) -> String {
        let names = columnNames
        let figures = Set(columns.map(\.name))
        return
            ([names.map(Self.cell)]
            + rows.map { row in
                names.map { name in
                    let text = row[name]?.scalarText ?? ""
                    return figures.contains(name) ? text : Self.cell(text)
                }
            }).map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    /// By bytes, because a letter may hide behind a mark that is put on it.
    private static func cell(_ text: String) -> String {
        let isFormula = text.utf8.first.map { Array("=+-@\t\r".utf8).contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        guard safe.utf8.contains(where: { Array("\",\r\n".utf8).contains($0) }) else { return safe }
        let quote = UInt8(ascii: "\"")
        return "\"" + String(decoding: safe.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }, as: UTF8.self) + "\""
    }
}
