extension JSONParser {
    mutating func parseNumber() throws(JSONError) -> JSON {
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
}
