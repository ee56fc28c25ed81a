import Foundation

extension QRCodeStyle {
    /// An opaque sRGB colour.
    package struct Color: Sendable, Hashable, CustomStringConvertible {
        package let red: UInt8
        package let green: UInt8
        package let blue: UInt8

        package static let black = Color(red: 0, green: 0, blue: 0)
        package static let white = Color(red: 255, green: 255, blue: 255)

        package init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// Parses `#RRGGBB` or `#RGB`; the `#` is optional.
        package init(_ text: String) throws(QRCodeError) {
            let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
            let values = digits.compactMap { $0.isASCII ? $0.hexDigitValue.map(UInt8.init) : nil }
            guard values.count == digits.count else { throw .notAColor }
            switch values.count {
            case 3: self.init(red: values[0] * 17, green: values[1] * 17, blue: values[2] * 17)
            case 6:
                self.init(
                    red: values[0] << 4 | values[1], green: values[2] << 4 | values[3], blue: values[4] << 4 | values[5])
            default: throw .notAColor
            }
        }

        var bytes: [UInt8] { [red, green, blue] }

        package var description: String {
            "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        }

        /// The contrast ratio of WCAG: 1 for equal colours, 21 for black and white.
        func contrast(to other: Color) -> Double {
            let (darker, lighter) = (min(luminance, other.luminance), max(luminance, other.luminance))
            return (lighter + 0.05) / (darker + 0.05)
        }

        private var luminance: Double {
            func linear(_ value: UInt8) -> Double {
                let share = Double(value) / 255
                return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        }
    }
}

extension QRCodeError {
    static let notAColor = QRCodeError("a color must be written #RRGGBB or #RGB.")
}
