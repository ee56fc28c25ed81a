import Foundation
import LindenKernel

extension RGBColor {
    static let black = RGBColor(red: 0, green: 0, blue: 0)
    static let white = RGBColor(red: 255, green: 255, blue: 255)

    /// The contrast ratio, 1 to 21 (WCAG 2.2); text needs 4.5.
    func contrast(to other: RGBColor) -> Double {
        let (first, second) = (luminance, other.luminance)
        return (max(first, second) + 0.05) / (min(first, second) + 0.05)
    }

    private var luminance: Double {
        func linear(_ channel: UInt8) -> Double {
            let value = Double(channel) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// Black or white, whichever has the higher contrast to the colour: at least 4.58.
    var readableInk: RGBColor { contrast(to: .black) > contrast(to: .white) ? .black : .white }

    /// Returns the colour as text on a background: mixed with the background's ``readableInk`` in steps of 5 % until the contrast is 4.5.
    func readable(on background: RGBColor) -> RGBColor {
        let ink = background.readableInk
        let mixtures = stride(from: 0.0, through: 1.0, by: 0.05).lazy.map { self.mixed(with: ink, share: $0) }
        return mixtures.first { $0.contrast(to: background) >= 4.5 } ?? ink
    }

    private func mixed(with other: RGBColor, share: Double) -> RGBColor {
        func mix(_ own: UInt8, _ foreign: UInt8) -> UInt8 {
            UInt8((Double(own) * (1 - share) + Double(foreign) * share).rounded())
        }
        return RGBColor(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }
}
