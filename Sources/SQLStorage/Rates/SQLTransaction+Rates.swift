import Linden
import LindenKernel

extension SQLTransaction {
    package func rate(of currency: Currency, on day: Int64) throws -> ExchangeRate? {
        try connection.first(
            """
            SELECT currency, base, day, rate FROM rates WHERE currency = \(currency.code) AND day <= \(day)
            ORDER BY day DESC LIMIT 1
            """, ExchangeRate.init(row:)
        ) ?? nil
    }

    package func rates(on day: Int64) throws -> [ExchangeRate] {
        try connection.query(
            """
            SELECT currency, base, day, rate FROM rates
            WHERE (currency, day) IN (SELECT currency, MAX(day) FROM rates WHERE day <= \(day) GROUP BY currency)
            ORDER BY currency
            """, ExchangeRate.init(row:)
        ).compactMap { $0 }
    }

    package func rateBase() throws -> Currency? {
        try connection.first("SELECT base FROM rates LIMIT 1") { Currency($0.text(0)) } ?? nil
    }

    package func insert(_ rate: ExchangeRate) throws {
        try connection.execute(
            """
            INSERT INTO rates (currency, day, base, rate)
            VALUES (\(rate.currency.code), \(rate.day), \(rate.base.code), \(rate.rate))
            ON CONFLICT (currency, day) DO UPDATE SET rate = excluded.rate
            """)
    }

    package func deleteRates() throws {
        try connection.execute("DELETE FROM rates")
    }
}

extension ExchangeRate {
    /// Nil if the stored currency is no longer known.
    fileprivate init?(row: any SQLRow) {
        guard let currency = Currency(row.text(0)), let base = Currency(row.text(1)) else { return nil }
        self.init(currency: currency, base: base, day: row.integer(2), rate: row.text(3))
    }
}
