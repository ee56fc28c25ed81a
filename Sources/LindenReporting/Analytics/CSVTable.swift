import LindenKernel

/// A table that is written as CSV, with a header line of column names.
package struct CSVTable {
    package private(set) var bytes: [UInt8] = []
    private let names: [String]
    private let mostBytes: Int

    /// Writes the header line.
    package init(_ names: [String], upTo mostBytes: Int) throws {
        self.names = names
        self.mostBytes = mostBytes
        try add(names.map(ExportValue.text))
    }

    /// Adds a row with a cell for each column. Fails with `invalid` if the table is longer than allowed.
    package mutating func add(_ row: [ExportValue]) throws {
        for (index, cell) in row.enumerated() {
            bytes += ExportFormat.csv.lead(names[index], isFirst: index == 0)
            ExportFormat.csv.write(cell, to: &bytes)
        }
        bytes += ExportFormat.csv.end
        try bytes.checkAnswerLength(upTo: mostBytes)
    }
}
