import LinkRouting

extension JSON {
    /// The value as compact JSON text in UTF-8.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(256)
        write(to: &output)
        return output
    }

    /// The value as compact JSON text.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    package func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: String(value).utf8)
        case .decimal(let text): output.append(contentsOf: text.utf8)
        case .string(let value): JSON.write(value, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members): members.write(to: &output)
        }
    }

    static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { write(escaping: $0, to: &output) }
        output.append(UInt8(ascii: "\""))
    }

    private static func write(escaping text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        var written = text.startIndex
        while let index = firstEscape(in: text, from: written) {
            output.append(contentsOf: text[written..<index])
            writeEscaped(text[index], to: &output)
            written = index + 1
        }
        output.append(contentsOf: text[written...])
    }

    /// Returns the position of the first byte that needs an escape. Most texts have none, so eight bytes are looked at together.
    private static func firstEscape(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var position = start
        while position + 8 <= text.count {
            let bytes = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: position, as: UInt64.self)
            guard !anyNeedsEscape(of: bytes) else { break }
            position += 8
        }
        return text[position...].firstIndex(where: needsEscape)
    }

    /// Whether any of eight bytes needs an escape. Subtracting n from a byte sets its highest bit if the byte was below n;
    /// `& ~bytes` leaves out bytes that had it before. XOR makes an equal byte 0, which is below 1. A borrow starts only at a byte that is
    /// below the limit, so it causes no false alarm.
    private static func anyNeedsEscape(of bytes: UInt64) -> Bool {
        func isAnyBelow(_ limit: UInt8, _ bytes: UInt64) -> Bool {
            (bytes &- repeated(limit)) & ~bytes & repeated(0x80) != 0
        }
        return isAnyBelow(0x20, bytes) || isAnyBelow(1, bytes ^ repeated(UInt8(ascii: "\"")))
            || isAnyBelow(1, bytes ^ repeated(UInt8(ascii: "\\")))
    }

    /// Eight times the same byte.
    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscaped(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0..<0x20:
            output.append(contentsOf: "u00".utf8)
            output.append(Hex.lowercaseDigits[Int(byte >> 4)])
            output.append(Hex.lowercaseDigits[Int(byte & 15)])
        default: output.append(byte)
        }
    }
}
