import LindenKernel

/// An app's settings about events.
package struct EventSettings: Sendable {
    static let currencySetting = "currency"
    static let uniqueTransactionsSetting = "events.unique_transactions"

    /// The reporting currency, to which revenue is converted on arrival.
    package let currency: Currency
    /// Whether only the first of several events with the same name and `transaction_id` is recorded.
    package let uniqueTransactions: Bool
}

extension AppConfiguration {
    package var events: EventSettings {
        EventSettings(
            currency: self[EventSettings.currencySetting].flatMap { Currency($0) } ?? .standard,
            uniqueTransactions: self[EventSettings.uniqueTransactionsSetting] == "true")
    }
}
