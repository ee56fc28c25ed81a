import LinkRouting

/// An RGB colour. Settings write it as `#256a45` or `#264`.
package struct RGBColor: Sendable, Hashable, CustomStringConvertible {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Parses `#RRGGBB` or `#RGB`; nil for anything else.
    package init?(_ text: String) {
        guard text.utf8.count <= 7 else { return nil }
        let digits = text.utf8.dropFirst().compactMap { Hex.value(of: $0) }
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == text.utf8.count - 1 else { return nil }
        switch digits.count {
        case 3: self.init(red: digits[0] * 17, green: digits[1] * 17, blue: digits[2] * 17)
        case 6: self.init(red: digits[0] << 4 | digits[1], green: digits[2] << 4 | digits[3], blue: digits[4] << 4 | digits[5])
        default: return nil
        }
    }

    /// The colour as `#rrggbb`.
    package var description: String {
        "#" + Hex.encode([red, green, blue])
    }
}
