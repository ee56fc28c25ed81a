import Foundation

/// A text table: the first column is left-aligned, the others are right-aligned.
struct Table {
    private var rows: [[String]]

    init(_ header: [String]) {
        rows = [header]
    }

    mutating func add(_ row: [String]) { rows.append(row) }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max()! }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension Double {
    /// `12.34 %`.
    var percent: String { String(format: "%.2f %%", self * 100) }
    /// Without trailing zeros: `70`, `0.5`.
    var short: String { String(format: "%g", self) }
}
