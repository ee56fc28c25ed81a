/// How rows are written.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// RFC 4180 with a line of column names. Objects and arrays are JSON in a cell.
    case csv
    /// A JSON object to a line, with every column, null where there is nothing.
    case ndjson

    package var contentType: String {
        switch self {
        case .csv: "text/csv; charset=utf-8"
        case .ndjson: "application/x-ndjson"
        }
    }

    func header(_ columns: [ExportColumn]) -> [UInt8] {
        switch self {
        case .csv: Array(columns.map(\.name).joined(separator: ",").utf8) + Self.lineEnd
        case .ndjson: []
        }
    }

    func write(_ record: ExportRecord, _ columns: [ExportColumn], to output: inout [UInt8]) {
        switch self {
        case .csv:
            for index in columns.indices {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.writeCell(columns[index].value(record), to: &output)
            }
            output.append(contentsOf: Self.lineEnd)
        case .ndjson:
            for index in columns.indices {
                output.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
                output.append(contentsOf: columns[index].key)
                columns[index].value(record).json.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
            output.append(UInt8(ascii: "\n"))
        }
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    private static func writeCell(_ value: ExportValue, to output: inout [UInt8]) {
        switch value {
        case .none: break
        case .text(let text): writeText(text, to: &output)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .decimal(let text): output.append(contentsOf: text.utf8)
        case .truth(let truth): output.append(contentsOf: (truth ? "true" : "false").utf8)
        case .json(let value): writeText(value.text, to: &output)
        }
    }

    /// A spreadsheet takes a text that begins like a formula for one and runs it; an apostrophe before it says that it is none
    /// (OWASP, "CSV injection").
    private static func writeText(_ text: String, to output: inout [UInt8]) {
        let isFormula = text.utf8.first.map { Self.formulaStarts.contains($0) } ?? false
        guard text.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
            if isFormula { output.append(UInt8(ascii: "'")) }
            output.append(contentsOf: text.utf8)
            return
        }
        output.append(UInt8(ascii: "\""))
        if isFormula { output.append(UInt8(ascii: "'")) }
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { output.append(byte) }
            output.append(byte)
        }
        output.append(UInt8(ascii: "\""))
    }

    private static let formulaStarts = Array("=+-@\t\r".utf8)
}
