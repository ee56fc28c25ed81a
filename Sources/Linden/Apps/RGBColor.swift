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
        let digits = text.utf8.dropFirst().map { $0 }
        guard text.utf8.first == UInt8(ascii: "#"), digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
            return nil
        }
        func number(_ digits: ArraySlice<UInt8>) -> UInt8 { UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0 }
        switch digits.count {
        case 3: self.init(red: number(digits[0...0]) * 17, green: number(digits[1...1]) * 17, blue: number(digits[2...2]) * 17)
        case 6: self.init(red: number(digits[0...1]), green: number(digits[2...3]), blue: number(digits[4...5]))
        default: return nil
        }
    }

    /// The colour as `#rrggbb`.
    package var description: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
