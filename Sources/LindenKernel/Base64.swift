import Foundation
import LinkRouting

/// A lenient Base64 decoder for text that passed through links and scripts.
package enum Base64 {
    /// Decodes the standard and the URL-safe alphabet. A space counts as the `+` that it was, line breaks are dropped, remaining
    /// percent-encoding is decoded, and missing padding is added. Returns nil for anything else.
    package static func decode(_ text: String) -> [UInt8]? {
        var characters = PercentCoding.decode(PercentCoding.decode(text)).utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: " "): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            // Encoders break lines after 64, 72 or 76 characters.
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): nil
            default: byte
            }
        }
        while characters.last == UInt8(ascii: "=") { characters.removeLast() }
        characters += Array(repeating: UInt8(ascii: "="), count: (4 - characters.count % 4) % 4)
        return Data(base64Encoded: Data(characters)).map(Array.init)
    }

    /// Whether a byte is a digit of the standard or the URL-safe alphabet, or padding.
    package static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
