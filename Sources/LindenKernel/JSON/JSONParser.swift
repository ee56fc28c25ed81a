import LinkRouting

/// The limits of a JSON text.
package struct JSONLimits: Sendable {
    /// The maximum number of values, at all depths.
    package let values: Int
    /// The maximum nesting depth. The parser is recursive, so the limit also protects the stack.
    package let depth: Int
    /// Whether a string may have any number of combining marks in a row. It is slow to compare with more than ``CombiningMarks/longestRun``.
    package let allowsMarks: Bool

    package init(values: Int, depth: Int, allowsMarks: Bool = false) {
        self.values = values
        self.depth = depth
        self.allowsMarks = allowsMarks
    }

    /// Those of a text that Linden has written, which it must be able to read. Half the depth is for what it puts around untrusted values, and
    /// for untrusted texts whose values it puts into others; a text that is cut or joined may have more marks in a row than its parts.
    package static let stored = JSONLimits(values: .max, depth: 128, allowsMarks: true)

    /// Those of an untrusted text. A value takes up to 128 bytes of memory, and as few as two of the text.
    package static let untrusted = JSONLimits(values: 50_000, depth: 64)
}

extension JSON {
    /// Parses one JSON text.
    ///
    /// Lenient in exactly one way: raw control characters inside strings are accepted, because the iOS SDK's own encoder escapes only
    /// `\ " \b \f \n \r \t`. NUL is still rejected; PostgreSQL cannot store it. Everything else is strict: numbers, surrogate pairs,
    /// UTF-8 and nesting. The last value of a repeated key wins.
    package static func parse(_ bytes: some Collection<UInt8>, within limits: JSONLimits = .stored) throws(JSONError) -> JSON {
        let result = bytes.withContiguousStorageIfAvailable { buffer in
            Result<JSON, JSONError> { () throws(JSONError) in try JSON.parse(buffer: buffer, limits) }
        }
        if let result { return try result.get() }
        return try parse(Array(bytes), within: limits)
    }

    package static func parse(_ text: String, within limits: JSONLimits = .stored) throws(JSONError) -> JSON {
        var text = text
        let result = text.withUTF8 { buffer in
            Result<JSON, JSONError> { () throws(JSONError) in try JSON.parse(buffer: buffer, limits) }
        }
        return try result.get()
    }

    private static func parse(buffer: UnsafeBufferPointer<UInt8>, _ limits: JSONLimits) throws(JSONError) -> JSON {
        var parser = JSONParser(bytes: buffer, limits: limits)
        return try parser.parseText()
    }
}

/// A recursive-descent parser of one JSON text.
struct JSONParser {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0
    let limits: JSONLimits
    /// The number of values begun so far.
    private var values = 0

    init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
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
        values += 1
        guard values <= limits.values else {
            throw JSONError(reason: "more than \(limits.values) values", offset: position, hasTooManyValues: true)
        }
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
        guard depth < limits.depth else { throw error("nested deeper than \(limits.depth) levels") }
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
            members.read(try parseValue(depth: depth + 1), as: key)
            skipWhitespace()
            if take(UInt8(ascii: "}")) {
                members.endReading()
                return .object(members)
            }
            guard take(UInt8(ascii: ",")) else { throw error("expected a comma or a closing brace") }
        }
    }

    private mutating func parseArray(depth: Int) throws(JSONError) -> JSON {
        guard depth < limits.depth else { throw error("nested deeper than \(limits.depth) levels") }
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

    // MARK: Bytes

    func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        position += 1
        return true
    }

    mutating func skipWhitespace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    func error(_ reason: String) -> JSONError {
        JSONError(reason: reason, offset: position)
    }
}
