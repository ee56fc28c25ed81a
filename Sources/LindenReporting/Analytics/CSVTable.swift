import LindenKernel

/// A table as CSV with a header line of column names.
enum CSVTable {
    /// Fails with `invalid` as soon as the table is longer than allowed.
    static func bytes(_ names: [String], _ rows: some Sequence<[ExportValue]>, upTo mostBytes: Int) throws -> [UInt8] {
        var output: [UInt8] = []
        add(names.map(ExportValue.text))
        for row in rows {
            add(row)
            guard output.count <= mostBytes else {
                throw Failure.invalid(
                    "The file is longer than \(mostBytes) bytes. Use a smaller limit, a shorter span or fewer dimensions.")
            }
        }
        return output

        func add(_ row: [ExportValue]) {
            for (index, cell) in row.enumerated() {
                output += ExportFormat.csv.lead(names[index], isFirst: index == 0)
                ExportFormat.csv.write(cell, to: &output)
            }
            output += ExportFormat.csv.end
        }
    }
}
