import Foundation

/// An exchange rate: the number of units of a currency that one unit of the base buys, valid from a day until the next rate.
package struct ExchangeRate: Sendable, Equatable {
    package let currency: Currency
    package let base: Currency
    /// Days since 1970-01-01 in UTC.
    package let day: Int64
    /// A positive decimal number, as it was written.
    package let rate: String

    package init(currency: Currency, base: Currency, day: Int64, rate: String) {
        self.currency = currency
        self.base = base
        self.day = day
        self.rate = rate
    }

    var value: Decimal { Decimal(string: rate) ?? .nan }

    /// Converts an amount of its currency to the base; nil if the result is too large.
    package func inBase(_ money: Money) -> Money? { money.times(1 / value) }

    /// Whether a text is a rate: a positive decimal number with at most twelve digits on either side of the point.
    package static func isRate(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9]{1,12}(\.[0-9]{1,12})?/) != nil && text.contains { ("1"..."9").contains($0) }
    }
}

package protocol RateReader {
    /// A currency's rate of a day, else that of the latest earlier day that has one.
    func rate(of currency: Currency, on day: Int64) throws -> ExchangeRate?
    /// The rates in effect on a day, by currency code.
    func rates(on day: Int64) throws -> [ExchangeRate]
    /// The base of the stored rates; nil if there are none.
    func rateBase() throws -> Currency?
}

package protocol RateRepository: RateReader {
    /// Stores a rate; replaces an earlier one of the same currency and day.
    func insert(_ rate: ExchangeRate) throws
    func deleteRates() throws
}
