import Foundation

/// Base64 as links and scripts carry it, with the damage they do to it.
package enum Base64 {
    /// Decodes the standard and the URL-safe alphabet. A `+` that became a space is a `+` again, white space at the end is dropped, and
    /// missing padding is added. Nil for anything else.
    package static func decode(_ text: String) -> [UInt8]? {
        var characters = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"), UInt8(ascii: " "): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while let last = characters.last, [UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "=")].contains(last) {
            characters.removeLast()
        }
        characters += Array(repeating: UInt8(ascii: "="), count: (4 - characters.count % 4) % 4)
        return Data(base64Encoded: Data(characters)).map(Array.init)
    }
}
