extension String {
    /// The text as HTML, in an element or a quoted attribute.
    ///
    /// Escapes bytes, not Swift's characters: a quotation mark and a combining mark after it are one character of Swift, but an HTML parser
    /// reads them one by one.
    package var htmlEscaped: String {
        guard utf8.contains(where: { $0.htmlEscape != nil }) else { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(htmlBytes)
        for byte in utf8 {
            if let escape = byte.htmlEscape { bytes.append(contentsOf: escape.utf8) } else { bytes.append(byte) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The size of ``htmlEscaped``.
    var htmlBytes: Int {
        var size = 0
        for byte in utf8 { size += byte.htmlEscape?.utf8.count ?? 1 }
        return size
    }

    /// Returns the longest beginning of the text that takes at most `limit` bytes as HTML and does not split a Unicode scalar.
    func prefix(htmlBytes limit: Int) -> String {
        var size = 0
        for index in utf8.indices {
            size += utf8[index].htmlEscape?.utf8.count ?? 1
            guard size <= limit else { return String(unicodeScalars[..<index]) }
        }
        return self
    }
}

extension UInt8 {
    fileprivate var htmlEscape: String? {
        switch self {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        default: nil
        }
    }
}
