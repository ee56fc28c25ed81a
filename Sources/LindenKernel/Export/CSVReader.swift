import LinkRouting

/// Reads CSV (RFC 4180) in UTF-8, with or without a byte order mark, with line ends of any system.
package enum CSVReader {
    /// A row that is not empty, with its number: the first row is 1, as in spreadsheets.
    package struct Row: Sendable {
        package let number: Int
        package let cells: [String]
    }

    /// Returns the rows of a file. Fails with `invalid` for a text in another encoding, too many combining marks in a row or a quote that is
    /// not closed, and with `tooLarge` for more rows or cells than are allowed.
    package static func rows(_ bytes: [UInt8], atMost mostRows: Int, cells mostCells: Int) throws(Failure) -> [Row] {
        var reader = Reader(bytes: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...])
        var rows: [Row] = []
        while let cells = try reader.next(mostCells: mostCells) {
            guard cells != [""] else { continue }
            guard rows.count < mostRows else { throw Failure(.tooLarge, "The file may have at most \(mostRows) rows.") }
            rows.append(Row(number: reader.number, cells: cells))
        }
        return rows
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>
        /// The number of rows read so far.
        var number = 0

        private static let quote = UInt8(ascii: "\"")

        /// Returns the cells of the next row; nil at the end.
        mutating func next(mostCells: Int) throws(Failure) -> [String]? {
            guard !bytes.isEmpty else { return nil }
            number += 1
            var cells: [String] = []
            while true {
                guard cells.count < mostCells else { throw Failure(.tooLarge, "Row \(number) has more than \(mostCells) cells.") }
                cells.append(try cell())
                guard let separator = bytes.popFirst() else { return cells }
                if separator == UInt8(ascii: ",") { continue }
                if separator == 0x0D, bytes.first == 0x0A { bytes.removeFirst() }
                return cells
            }
        }

        /// Returns a cell, up to the separator behind it.
        private mutating func cell() throws(Failure) -> String {
            guard bytes.first == Self.quote else {
                let end = bytes.firstIndex { $0 == UInt8(ascii: ",") || $0 == 0x0A || $0 == 0x0D } ?? bytes.endIndex
                defer { bytes = bytes[end...] }
                return try text(bytes[..<end])
            }
            bytes.removeFirst()
            var content: [UInt8] = []
            while let end = bytes.firstIndex(of: Self.quote) {
                content += bytes[..<end]
                bytes = bytes[(end + 1)...]
                if bytes.first == Self.quote {
                    content.append(Self.quote)
                    bytes.removeFirst()
                    continue
                }
                guard bytes.isEmpty || [UInt8(ascii: ","), 0x0A, 0x0D].contains(bytes[bytes.startIndex]) else {
                    throw Failure.invalid("Row \(number) has text behind a quoted cell: write a quote within a cell twice.")
                }
                return try text(content[...])
            }
            throw Failure.invalid("Row \(number) has a quote that is not closed.")
        }

        private func text(_ bytes: ArraySlice<UInt8>) throws(Failure) -> String {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Failure.invalid("Row \(number) is not text in UTF-8.")
            }
            // Cells are compared with the names of columns and with each other.
            guard !CombiningMarks.hasLongRun(text) else {
                throw Failure.invalid("Row \(number) has more than \(CombiningMarks.longestRun) combining marks in a row.")
            }
            return text
        }
    }
}
