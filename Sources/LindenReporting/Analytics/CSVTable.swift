/// A table as CSV with a header line of column names.
enum CSVTable {
    static func bytes(_ names: [String], _ rows: [[ExportValue]]) -> [UInt8] {
        var output: [UInt8] = []
        for row in [names.map(ExportValue.text)] + rows {
            for (index, cell) in row.enumerated() {
                output += ExportFormat.csv.lead(names[index], isFirst: index == 0)
                ExportFormat.csv.write(cell, to: &output)
            }
            output += ExportFormat.csv.end
        }
        return output
    }
}
