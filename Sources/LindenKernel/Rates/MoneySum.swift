/// An exact sum of amounts of one currency. Has 128 bits, since ten of the largest amounts exceed 64; no number of events exceeds 128.
package struct MoneySum: Sendable, Hashable, Comparable {
    package var millionths: Int128

    package init(millionths: Int128 = 0) {
        self.millionths = millionths
    }

    package init(_ money: Money?) {
        self.init(millionths: Int128(money?.millionths ?? 0))
    }

    package static func += (left: inout MoneySum, right: MoneySum) { left.millionths += right.millionths }

    package static prefix func - (sum: MoneySum) -> MoneySum { MoneySum(millionths: -sum.millionths) }

    package static func < (left: MoneySum, right: MoneySum) -> Bool { left.millionths < right.millionths }

    /// A decimal number without trailing zeros: `12.7`.
    package var text: String {
        let (units, rest) = millionths.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var digits = String(1_000_000 + rest).dropFirst()
        while digits.last == "0" { digits.removeLast() }
        return (millionths < 0 ? "-" : "") + String(units) + (digits.isEmpty ? "" : "." + digits)
    }
}

// MARK: In two numbers

/// The stored form of a sum in counters: whole thousands of the currency, rounded down, and the remaining millionths, which are never
/// negative. Counters add the two numbers separately, without carry: nine thousand million of the largest amounts fit into 64 bits.
extension MoneySum {
    private static let thousand: Int128 = 1_000_000_000

    package var parts: (thousands: Int64, millionths: Int64) {
        let (quotient, remainder) = millionths.quotientAndRemainder(dividingBy: Self.thousand)
        return remainder < 0
            ? (Int64(quotient - 1), Int64(remainder + Self.thousand)) : (Int64(quotient), Int64(remainder))
    }

    package init(thousands: Int64, millionths: Int64) {
        self.init(millionths: Int128(thousands) * Self.thousand + Int128(millionths))
    }
}

extension JSON {
    /// Returns an amount in millionths as a JSON number such as `12.5`.
    package static func millionths(_ amount: Int128) -> JSON { .decimal(MoneySum(millionths: amount).text) }
}
