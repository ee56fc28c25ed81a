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
        guard text.utf8.count <= 255, let number = text.wholeMatch(of: /([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,4}))?/),
            !number.2.isEmpty || number.3?.isEmpty == false
        else { throw .malformed }
        let fraction = number.3.map(String.init) ?? ""
        let digits = (String(number.2) + fraction).utf8.map { Int64($0) - 48 }
        guard let start = digits.firstIndex(where: { $0 > 0 }) else {
            self.init(millionths: 0)
            return
        }
        // How many of the digits are whole millionths.
        let count = number.2.count + (number.4.flatMap { Int($0) } ?? 0) + 6
        guard count - start <= 18 else { throw .tooLarge }
        var value: Int64 = 0
        if count >= start {
            for index in start..<max(count, start) { value = value * 10 + (index < digits.count ? digits[index] : 0) }
            if digits.indices.contains(count), digits[count] >= 5 { value += 1 }
        }
        guard value <= Self.largest.millionths else { throw .tooLarge }
        self.init(millionths: number.1 == "-" ? -value : value)
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
