import Linden
import LindenKernel

extension ExchangeRate {
    /// Reads a rate as a person gives it. Returns nil for the base currency itself, whose rate must be 1.
    ///
    /// - Throws: `invalid` for an unknown currency or a wrong rate, with what is allowed.
    package static func read(_ code: String, _ rate: String, base: Currency, day: Int64) throws -> ExchangeRate? {
        guard let currency = Currency(code) else {
            throw Failure.invalid("currency must be a code of ISO 4217 such as EUR, not \"\(code)\".")
        }
        guard isRate(rate) else {
            throw Failure.invalid(
                "rate must be a positive number such as 0.92, with at most twelve digits before and after the point, not \"\(rate)\"."
            )
        }
        guard currency != base else {
            guard try Money(rate) == Money("1") else {
                throw Failure.invalid("The rate of \(base.code) against itself must be 1; base is what the others are against.")
            }
            return nil
        }
        return ExchangeRate(currency: currency, base: base, day: day, rate: rate)
    }
}
