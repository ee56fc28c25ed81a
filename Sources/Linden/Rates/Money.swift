import Foundation

/// An amount of some currency, exact to the millionth. Amounts are added up as ``MoneySum``: ten of the largest exceed 64 bits.
package struct Money: Sendable, Equatable {
    package let millionths: Int64

    package init(millionths: Int64) {
        self.millionths = millionths
    }

    /// 10¹² units, some forty million dollars in đồng.
    package static let largest = Money(millionths: 1_000_000_000_000_000_000)

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

    /// So many times as much, rounded to the millionth; nil if that is too large.
    package func times(_ factor: Decimal) -> Money? {
        var product = Decimal(millionths) * factor
        var rounded = Decimal()
        NSDecimalRound(&rounded, &product, 0, .plain)
        guard !rounded.isNaN, let value = Int64(rounded.description), abs(value) <= Self.largest.millionths else { return nil }
        return Money(millionths: value)
    }

    /// A decimal number without needless digits: `12.7`.
    package var text: String { MoneySum(self).text }
}

/// A decimal number as people and JSON write it, in its parts. Byte by byte: every purchase has some, and a regular expression takes
/// fifty times as long.
private struct DecimalText {
    let isNegative: Bool
    let digits: [UInt64]
    /// How many of the digits stand before the point.
    let point: Int
    let exponent: Int

    /// Nil for a text that is no number.
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
