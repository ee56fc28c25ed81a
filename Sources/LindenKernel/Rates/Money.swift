import Foundation

/// An amount of a currency, in millionths. Sums use ``MoneySum``, because ten of the largest amounts exceed 64 bits.
package struct Money: Sendable, Equatable {
    package let millionths: Int64

    package init(millionths: Int64) {
        self.millionths = millionths
    }

    /// The largest amount: 10¹² units, which is some forty million US dollars in Vietnamese đồng.
    package static let largest = Money(millionths: 1_000_000_000_000_000_000)

    package enum ParseError: Error {
        case malformed
        /// More than ``largest``, or less than its negative.
        case tooLarge
    }

    /// Parses a decimal number such as `12.70`, `-3` or `1e3`, rounded to the millionth, because SDKs send doubles (`12.699999999999999`).
    package init(_ text: String) throws(ParseError) {
        guard text.utf8.count <= 255, let number = DecimalText(text) else { throw .malformed }
        let digits = number.digits
        guard let start = digits.firstIndex(where: { $0 > 0 }) else {
            self.init(millionths: 0)
            return
        }
        // The number of digits that make up whole millionths.
        let count = number.point + number.exponent + 6
        // Nineteen digits fit into 64 bits without a sign.
        guard count - start <= 19 else { throw .tooLarge }
        var value: UInt64 = 0
        if count >= start {
            for index in start..<max(count, start) { value = value * 10 + (index < digits.count ? digits[index] : 0) }
            if digits.indices.contains(count), digits[count] >= 5 { value += 1 }
        }
        guard value <= Self.largest.millionths.magnitude else { throw .tooLarge }
        self.init(millionths: number.isNegative ? -Int64(value) : Int64(value))
    }

    /// Returns the product, rounded to the millionth; nil if it is too large.
    package func times(_ factor: Decimal) -> Money? {
        var product = Decimal(millionths) * factor
        var rounded = Decimal()
        NSDecimalRound(&rounded, &product, 0, .plain)
        guard !rounded.isNaN, let value = Int64(rounded.description), value.magnitude <= Self.largest.millionths.magnitude
        else { return nil }
        return Money(millionths: value)
    }

    /// A decimal number without trailing zeros: `12.7`.
    package var text: String { MoneySum(self).text }
}

/// The parts of a decimal number in plain or JSON notation. Parsed byte by byte, because every purchase contains some and a regular
/// expression takes fifty times as long.
private struct DecimalText {
    let isNegative: Bool
    let digits: [UInt64]
    /// The number of digits before the point.
    let point: Int
    let exponent: Int

    /// Nil if the text is not a number.
    init?(_ text: String) {
        var rest = text.utf8[...]
        isNegative = rest.first == UInt8(ascii: "-")
        if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        let whole = Self.digits(of: &rest)
        var fraction: [UInt64] = []
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

    private static func digits(of rest: inout Substring.UTF8View) -> [UInt64] {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        return digits.map { UInt64($0) - 48 }
    }
}
