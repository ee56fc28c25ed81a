import Foundation
import LinkRouting

/// A syntax error in a JSON text, with its position.
package struct JSONError: Error, Sendable, CustomStringConvertible {
    package let reason: String
    /// The offset in bytes from the start of the text.
    package let offset: Int

    package var description: String { "\(reason) at byte \(offset)" }
}

extension JSON {
    /// The maximum nesting depth. The parser is recursive, so the limit also protects the stack from hostile bodies.
    package static let maximumDepth = 128

    /// Parses one JSON text.
    ///
    /// Lenient in exactly one way: raw control characters inside strings are accepted, because the iOS SDK's own encoder escapes only
    /// `\ " \b \f \n \r \t`. NUL is still rejected; PostgreSQL cannot store it. Everything else is strict: numbers, surrogate pairs,
    /// UTF-8 and nesting. A string may have at most ``CombiningMarks/longestRun`` combining marks in a row. The last value of a repeated key
    /// wins.
    package static func parse(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSON {
        let result = bytes.withContiguousStorageIfAvailable { buffer in
            Result<JSON, JSONError> { () throws(JSONError) in try JSON.parse(buffer: buffer) }
        }
        if let result { return try result.get() }
        return try parse(Array(bytes))
    }

    package static func parse(_ text: String) throws(JSONError) -> JSON {
        try parse(Array(text.utf8))
    }

    private static func parse(buffer: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes: buffer)
        return try parser.parseText()
    }
}

private struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        // A byte order mark has no meaning here, but some editors write one.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    mutating func parseText() throws(JSONError) -> JSON {
        let value = try parseValue(depth: 0)
        skipWhitespace()
        guard position == bytes.count else { throw error("unexpected text after the value") }
        return value
    }

    // MARK: Values

    private mutating func parseValue(depth: Int) throws(JSONError) -> JSON {
        skipWhitespace()
        guard let byte = peek() else { throw error("the text ends where a value should be") }
        switch byte {
        case UInt8(ascii: "{"): return try parseObject(depth: depth)
        case UInt8(ascii: "["): return try parseArray(depth: depth)
        case UInt8(ascii: "\""): return .string(try parseString())
        case UInt8(ascii: "t"): return try parseLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try parseLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try parseLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
        default: throw error("unexpected character")
        }
    }

    private mutating func parseObject(depth: Int) throws(JSONError) -> JSON {
        guard depth < JSON.maximumDepth else { throw error("nested deeper than \(JSON.maximumDepth) levels") }
        position += 1
        var members = JSONObject()
        skipWhitespace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipWhitespace()
            guard peek() == UInt8(ascii: "\"") else { throw error("expected a key in double quotes") }
            let key = try parseString()
            skipWhitespace()
            guard take(UInt8(ascii: ":")) else { throw error("expected a colon") }
            members[key] = try parseValue(depth: depth + 1)
            skipWhitespace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw error("expected a comma or a closing brace") }
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONError) -> JSON {
        guard depth < JSON.maximumDepth else { throw error("nested deeper than \(JSON.maximumDepth) levels") }
        position += 1
        var elements: [JSON] = []
        skipWhitespace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try parseValue(depth: depth + 1))
            skipWhitespace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw error("expected a comma or a closing bracket") }
        }
    }

    private mutating func parseLiteral(_ text: StaticString, _ value: JSON) throws(JSONError) -> JSON {
        let length = text.utf8CodeUnitCount
        guard position + length <= bytes.count,
            (0..<length).allSatisfy({ bytes[position + $0] == text.utf8Start[$0] })
        else { throw error("unexpected word") }
        position += length
        return value
    }

    // MARK: Numbers

    private mutating func parseNumber() throws(JSONError) -> JSON {
        let start = position
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if let next = peek(), isDigit(next) { throw error("a number must not begin with a zero") }
        } else {
            try skipDigits()
        }
        var isInteger = true
        if take(UInt8(ascii: ".")) {
            isInteger = false
            try skipDigits()
        }
        if let next = peek(), next | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            position += 1
            if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self)
        if isInteger, text != "-0", let value = Int64(text) { return .integer(value) }
        return .decimal(text)
    }

    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while let byte = peek(), isDigit(byte) { position += 1 }
        guard position > start else { throw error("expected a digit") }
    }

    private func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    // MARK: Strings

    private mutating func parseString() throws(JSONError) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                let text = try validated(UnsafeBufferPointer(rebasing: bytes[start..<position]), from: start)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                return try parseEscapedString(from: start)
            case 0:
                throw error("a NUL byte in a string")
            default:
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
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))!
    }

    private mutating func parseFourHexDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = hexValue(of: byte) else { throw error("expected four hexadecimal digits") }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    private func validated(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) throws(JSONError) -> String {
        // Decoding repairs invalid UTF-8, so a difference from the input means that it was invalid. Far faster than the validating
        // initializer.
        var text = String(decoding: buffer, as: UTF8.self)
        guard text.utf8.count == buffer.count,
            text.withUTF8({ $0.isEmpty || memcmp($0.baseAddress!, buffer.baseAddress!, $0.count) == 0 })
        else { throw JSONError(reason: "a string that is not UTF-8", offset: start) }
        guard !CombiningMarks.hasLongRun(text) else {
            throw JSONError(
                reason: "a string with more than \(CombiningMarks.longestRun) combining marks in a row", offset: start)
        }
        return text
    }

    // MARK: Bytes

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private func error(_ reason: String) -> JSONError {
        JSONError(reason: reason, offset: position)
    }
}

/// The value of one hexadecimal digit, upper or lower case; nil for any other byte.
package func hexValue(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
