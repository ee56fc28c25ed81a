/// What an app says about its events.
package struct EventSettings: Sendable {
    static let currencySetting = "currency"
    static let uniqueTransactionsSetting = "events.unique_transactions"

    /// What revenue is converted to when it comes.
    package let currency: Currency
    /// Whether of several events with one name and `transaction_id` only the first is recorded.
    package let uniqueTransactions: Bool
}

extension AppConfiguration {
    package var events: EventSettings {
        EventSettings(
            currency: self[EventSettings.currencySetting].flatMap { Currency($0) } ?? .standard,
            uniqueTransactions: self[EventSettings.uniqueTransactionsSetting] == "true")
    }
}
