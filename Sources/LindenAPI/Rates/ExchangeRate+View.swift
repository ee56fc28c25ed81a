import Linden
import LindenKernel

extension ExchangeRate {
    /// An exchange rate.
    ///
    /// - `currency`, `base`: codes of ISO 4217.
    /// - `rate`: units of the currency per unit of the base currency.
    /// - `since`: the first day (UTC) with this rate, such as `2027-01-31`.
    package var view: JSONObject {
        [
            "currency": .string(currency.code), "rate": .decimal(rate), "base": .string(base.code),
            "since": .string(Day(number: day).text),
        ]
    }
}
