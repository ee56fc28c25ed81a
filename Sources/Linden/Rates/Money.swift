import Foundation

/// An amount of some currency, exact to the millionth. A thousand of the largest are more than BIGINT holds: sums must take care.
package struct Money: Sendable, Equatable {
    package let millionths: Int64

    package init(millionths: Int64) {
        self.millionths = millionths
    }

    /// Ten thousand million, which is much in any currency.
    package static let largest = Money(millionths: 10_000_000_000_000_000)

    package enum Wrong: Error {
        case malformed
        /// More than ``largest``, or less than its negative.
        case tooLarge
    }

    /// Reads a decimal number such as `12.70`, `-3` or `1e3`, rounded to the millionth: SDKs write doubles (`12.699999999999999`).
    package init(_ text: String) throws(Wrong) {
        guard text.utf8.count <= 255, let number = DecimalText(text) else { throw .malformed }
        let digits = number.digits
        guard let start = digits.firstIndex(where: { $0 > 0 }) else {
            self.init(millionths: 0)
            return
        }
        // How many of the digits are whole millionths.
        let count = number.point + number.exponent + 6
        guard count - start <= 18 else { throw .tooLarge }
        var value: Int64 = 0
        if count >= start {
            for index in start..<max(count, start) { value = value * 10 + (index < digits.count ? digits[index] : 0) }
            if digits.indices.contains(count), digits[count] >= 5 { value += 1 }
        }
        guard value <= Self.largest.millionths else { throw .tooLarge }
        self.init(millionths: number.isNegative ? -value : value)
    }

    /// So many times as much, rounded to the millionth; nil if that is too large.
    package func times(_ factor: Decimal) -> Money? {
        var product = Decimal(millionths) * factor
        var rounded = Decimal()
        NSDecimalRound(&rounded, &product, 0, .plain)
        guard !rounded.isNaN, let value = Int64(rounded.description), abs(value) <= Self.largest.millionths else { return nil }
        return Money(millionths: value)
    }

    /// A decimal number without needless digits: `12.7`.
    package var text: String {
        let (units, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var digits = String(1_000_000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return (millionths < 0 ? "-" : "") + String(units) + (digits.isEmpty ? "" : "." + digits)
    }
}

/// A decimal number as people and JSON write it, in its parts. Byte by byte: every purchase has some, and a regular expression takes
/// fifty times as long.
private struct DecimalText {
    let isNegative: Bool
    let digits: [Int64]
    /// How many of the digits stand before the point.
    let point: Int
    let exponent: Int

    /// Nil for a text that is no number.
    init?(_ text: String) {
        var rest = text.utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = Self.digits(of: &rest)
        var fraction: [Int64] = []
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = Self.digits(of: &rest)
        }
        digits = whole + fraction
        point = whole.count
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            guard let exponent = Int(String(Substring(rest.dropFirst()))), (-9999...9999).contains(exponent) else {
                return nil
            }
            self.exponent = exponent
        } else {
            guard rest.isEmpty else { return nil }
            exponent = 0
        }
        guard !digits.isEmpty else { return nil }
    }

    private static func digits(of rest: inout Substring.UTF8View) -> [Int64] {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        return digits.map { Int64($0) - 48 }
    }
}
