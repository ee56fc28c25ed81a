import Foundation
import LinkRouting

extension JSONParser {
    mutating func parseString() throws(JSONError) -> String {
        position += 1
        let start = position
        var isASCII = true
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                let content = UnsafeBufferPointer(rebasing: bytes[start..<position])
                // Most strings are ASCII, all of which is valid.
                let text = isASCII ? String(decoding: content, as: UTF8.self) : try validated(content, from: start)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                return try parseEscapedString(from: start)
            case 0:
                throw error("a NUL byte in a string")
            default:
                isASCII = isASCII && byte < 0x80
                position += 1
            }
        }
        throw error("a string without its closing quote")
    }

    private mutating func parseEscapedString(from start: Int) throws(JSONError) -> String {
        var content = [UInt8](bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return try content.withUnsafeBufferPointer { buffer in
                    Result<String, JSONError> { () throws(JSONError) in try validated(buffer, from: start) }
                }.get()
            case UInt8(ascii: "\\"):
                try parseEscape(into: &content)
            case 0:
                throw error("a NUL byte in a string")
            default:
                content.append(byte)
            }
        }
        throw error("a string without its closing quote")
    }

    private mutating func parseEscape(into content: inout [UInt8]) throws(JSONError) {
        guard let byte = peek() else { throw error("a string without its closing quote") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content.append(contentsOf: UTF8.encode(try parseUnicodeEscape())!)
        default: throw error("unknown escape")
        }
    }

    private mutating func parseUnicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let unit = try parseFourHexDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
            throw error("half of a surrogate pair")
        }
        let low = try parseFourHexDigits()
        guard (0xDC00...0xDFFF).contains(low) else { throw error("half of a surrogate pair") }
        return Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))!
    }

    private mutating func parseFourHexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Hex.value(of: byte) else { throw error("expected four hexadecimal digits") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private func validated(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) throws(JSONError) -> String {
        // Decoding replaces invalid UTF-8, so a changed text was invalid. Much faster than the validating initializer.
        var text = String(decoding: buffer, as: UTF8.self)
        guard text.utf8.count == buffer.count,
            text.withUTF8({ $0.isEmpty || memcmp($0.baseAddress!, buffer.baseAddress!, $0.count) == 0 })
        else { throw JSONError(reason: "a string that is not UTF-8", offset: start) }
        guard limits.allowsMarks || !CombiningMarks.hasLongRun(text) else {
            throw JSONError(reason: "a string with more than \(CombiningMarks.longestRun) combining marks in a row", offset: start)
        }
        return text
    }
}
