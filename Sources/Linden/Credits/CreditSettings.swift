/// What an app says about its credits.
package struct CreditSettings: Sendable {
    /// Whether anybody with the public key may read the balance and history of a user whose name he knows, as Branch allows.
    package let readByKey: Bool
    /// Whether an app may redeem for its user, without the secret, as SDKs do.
    package let clientRedeem: Bool
    /// Whether an app may make referral codes, without the secret: credits of its own making. Off, because few SDKs ever did (Web up to
    /// 2.61), and anybody with the public key could.
    package let clientCodes: Bool
    /// Whether an app may apply a referral code for its user, without the secret, as SDKs do.
    package let clientApply: Bool
    /// Whether an anonymous user's credits go to whom he logs in as.
    package let mergeOnLogin: Bool
}

extension AppConfiguration {
    package var credits: CreditSettings {
        CreditSettings(
            readByKey: self["credits.read_by_key"] != "false", clientRedeem: self["credits.client_redeem"] != "false",
            clientCodes: self["credits.client_codes"] == "true", clientApply: self["credits.client_apply"] != "false",
            mergeOnLogin: self["credits.merge_on_login"] == "true")
    }
}
