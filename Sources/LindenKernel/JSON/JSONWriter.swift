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
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSON.write(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { write(escaping: $0, to: &output) }
        output.append(UInt8(ascii: "\""))
    }

    private static func write(escaping text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        var written = text.startIndex
        for (index, byte) in text.enumerated() where needsEscape(byte) {
            output.append(contentsOf: text[written..<index])
            writeEscaped(byte, to: &output)
            written = index + 1
        }
        output.append(contentsOf: text[written...])
    }

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
