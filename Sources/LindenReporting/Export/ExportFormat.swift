import LindenKernel

/// The file format of an export.
package enum ExportFormat: String, Sendable, CaseIterable {
    /// RFC 4180 with a header line. Objects and arrays are JSON within a cell.
    case csv
    /// One JSON object per line, with every column; null for no value.
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

    /// Returns the bytes before a column's value: the separator and, in NDJSON, the name.
    package func lead(_ name: String, isFirst: Bool) -> [UInt8] {
        switch self {
        case .csv: isFirst ? [] : [UInt8(ascii: ",")]
        case .ndjson: [UInt8(ascii: isFirst ? "{" : ",")] + JSON.string(name).bytes + [UInt8(ascii: ":")]
        }
    }

    package var end: [UInt8] {
        switch self {
        case .csv: Self.lineEnd
        case .ndjson: Array("}\n".utf8)
        }
    }

    package func write(_ value: ExportValue, times: ExportTimes = .iso8601, to output: inout [UInt8]) {
        switch (self, value) {
        case (.csv, _): Self.writeCell(value, times, to: &output)
        case (.ndjson, .time(let time)):
            output.append(UInt8(ascii: "\""))
            times.write(time, to: &output)
            output.append(UInt8(ascii: "\""))
        case (.ndjson, _): value.json.write(to: &output)
        }
    }

    private static let lineEnd: [UInt8] = [0x0D, 0x0A]

    private static func writeCell(_ value: ExportValue, _ times: ExportTimes, to output: inout [UInt8]) {
        switch value {
        case .none: break
        case .text(let text): writeText(text, to: &output)
        case .integer(let number): output.append(contentsOf: String(number).utf8)
        case .decimal(let text): output.append(contentsOf: text.utf8)
        case .bool(let truth): output.append(contentsOf: (truth ? "true" : "false").utf8)
        case .time(let time): times.write(time, to: &output)
        case .json(let value): writeText(value.text, to: &output)
        }
    }

    /// Writes a text, quoted if necessary. Spreadsheets execute texts that begin like a formula; a preceding apostrophe prevents that
    /// (OWASP, "CSV injection").
    private static func writeText(_ text: String, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { text in
            let isFormula = text.first.map(isFormulaStart) ?? false
            guard text.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else {
                if isFormula { output.append(UInt8(ascii: "'")) }
                output.append(contentsOf: text)
                return
            }
            output.append(UInt8(ascii: "\""))
            if isFormula { output.append(UInt8(ascii: "'")) }
            for byte in text {
                if byte == UInt8(ascii: "\"") { output.append(byte) }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    private static func isFormulaStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        default: false
        }
    }
}
