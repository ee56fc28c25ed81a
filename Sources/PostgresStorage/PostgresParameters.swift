import SQLStorage

/// The parameters of one execution. Integers are passed as decimal digits, so that each fits whatever type the server has inferred for it;
/// texts and bytes as they are.
final class PostgresParameters: SQLBindings {
    /// The values one after the other; the first byte is none of them, so that the address of an empty value is not null.
    private var bytes: [UInt8] = [0]
    /// Where each value begins; nil for NULL.
    private var starts: [Int?] = []
    private var lengths: [Int32] = []
    /// 0 for decimal digits, 1 for other bytes.
    private var formats: [Int32] = []
    private var pointers: [UnsafePointer<CChar>?] = []

    func reset() {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(0)
        starts.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
    }

    /// The number of bytes that they take in a message, at most.
    var size: Int { bytes.count + 8 * starts.count }

    func bind(_ values: [SQLValue]) {
        for value in values {
            switch value {
            case .null: bindNull()
            case .integer(let integer): bind(integer)
            case .text(let text): bind(text)
            case .blob(let blob):
                let start = bytes.count
                bytes.append(contentsOf: blob)
                add(start, format: 1)
            }
        }
    }

    func bind(_ integer: Int64?) {
        guard let integer else { return bindNull() }
        let start = bytes.count
        var rest = integer.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        if integer < 0 { bytes.append(UInt8(ascii: "-")) }
        bytes[start...].reverse()
        add(start, format: 0)
        bytes.append(0)
    }

    /// PostgreSQL stores no character U+0000: it becomes the replacement character.
    func bind(_ text: String?) {
        guard let text else { return bindNull() }
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        if bytes[start...].contains(0) {
            let cleaned = bytes[start...].split(separator: 0, omittingEmptySubsequences: false).joined(separator: "\u{FFFD}".utf8)
            bytes.replaceSubrange(start..., with: Array(cleaned))
        }
        add(start, format: 1)
    }

    private func bindNull() {
        starts.append(nil)
        lengths.append(0)
        formats.append(0)
    }

    private func add(_ start: Int, format: Int32) {
        starts.append(start)
        lengths.append(Int32(bytes.count - start))
        formats.append(format)
    }

    /// Calls `body` with the number of values, their addresses, lengths and formats.
    func withPointers<Result>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        bytes.withUnsafeBytes { bytes in
            let base = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
            pointers.removeAll(keepingCapacity: true)
            for start in starts { pointers.append(start.map { base + $0 }) }
            return body(Int32(starts.count), pointers, lengths, formats)
        }
    }
}
