import CQREncode

/// The square of modules that carries a text, by libqrencode.
struct Symbol {
    /// How much of a code may be lost, and how much it can carry.
    struct Correction {
        let level: QRecLevel
        let maximumBytes: Int

        /// About 15 % may be lost: a scratch or a stain.
        static let medium = Correction(level: QR_ECLEVEL_M, maximumBytes: 2331)
        /// About 30 % may be lost: a logo, and some scratches.
        static let high = Correction(level: QR_ECLEVEL_H, maximumBytes: 1273)
    }

    /// Dark modules next to each other, drawn with one ink.
    struct Run: Equatable {
        let ink: Ink
        var columns: Range<Int>
    }

    /// Modules, across and down: 21 to 177.
    let side: Int
    /// Row by row.
    private var isDark: [Bool]

    /// The smallest code for the text in UTF-8.
    init(_ text: String, correction: Correction) throws(QRCodeError) {
        let bytes = Array(text.utf8)
        // Text that is not plain ASCII is marked as UTF-8, or readers have to guess. The mark takes a byte and a half.
        let isPlain = bytes.allSatisfy { $0 < 0x80 }
        let most = correction.maximumBytes - (isPlain ? 0 : 1)
        guard 1...most ~= bytes.count else { throw .textLength(most) }
        guard let input = QRinput_new2(0, correction.level) else { throw .notEncoded }
        defer { QRinput_free(input) }
        guard isPlain || QRinput_appendECIheader(input, utf8) == 0,
            QRinput_append(input, QR_MODE_8, Int32(bytes.count), bytes) == 0, let code = QRcode_encodeInput(input)
        else { throw .notEncoded }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        self.side = side
        isDark = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
    }

    /// Leaves these modules to the background. Error correction makes up for them.
    mutating func clear(columns: Range<Int>, rows: Range<Int>) {
        for row in rows {
            for column in columns { isDark[row * side + column] = false }
        }
    }

    func runs(in row: Int) -> [Run] {
        var runs: [Run] = []
        for column in 0..<side {
            let ink = ink(column: column, row: row)
            if ink == .background { continue }
            if let last = runs.last, last.ink == ink, last.columns.upperBound == column {
                runs[runs.count - 1].columns = last.columns.lowerBound..<column + 1
            } else {
                runs.append(Run(ink: ink, columns: column..<column + 1))
            }
        }
        return runs
    }

    private func ink(column: Int, row: Int) -> Ink {
        guard isDark[row * side + column] else { return .background }
        // Finder patterns are seven modules wide and lie in every corner but the lower right one.
        let (right, bottom) = (column >= side - 7, row >= side - 7)
        guard column < 7 || right, row < 7 || bottom, !(right && bottom) else { return .code }
        let eye = 2...4
        let (x, y) = (right ? column - (side - 7) : column, bottom ? row - (side - 7) : row)
        return eye.contains(x) && eye.contains(y) ? .finderEye : .finderPattern
    }
}

/// The number of UTF-8 among the extended channel interpretations (ECI), as the registry of encodings is called.
private let utf8: UInt32 = 26

extension QRCodeError {
    static func textLength(_ most: Int) -> QRCodeError {
        QRCodeError("the text of the code must have 1 to \(most) bytes.")
    }
}
