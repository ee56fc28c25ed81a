/// What an app says about its credits.
package struct CreditSettings: Sendable {
    /// What calls without the secret may do (`security`).
    enum Security: String, CaseIterable {
        /// What they may with Branch, but for single settings.
        case branch
        /// Nothing with credits.
        case strict
    }

    static let securitySetting = "security"

    package let isStrict: Bool
    /// Whether the balance and history of a user can be read with the public key and the user's name, as Branch allows.
    package let readByKey: Bool
    /// Whether a device that logged in by a user's name has that user's credits, as with Branch.
    package let claimByName: Bool
    /// Whether an app may redeem for its user, without the secret, as SDKs do.
    package let clientRedeem: Bool
    /// Whether an app may make referral codes, without the secret: credits of its own making. Off, because few SDKs ever did (Web up to
    /// 2.61), and the public key is enough.
    package let clientCodes: Bool
    /// Whether an app may apply a referral code for its user, without the secret, as SDKs do.
    package let clientApply: Bool
    /// Whether an anonymous user's credits go to the user who logs in there.
    package let mergeOnLogin: Bool
}

extension AppConfiguration {
    package var credits: CreditSettings {
        let isStrict = self[CreditSettings.securitySetting] == CreditSettings.Security.strict.rawValue
        func isOpen(_ name: String, default standard: String) -> Bool { !isStrict && (self[name] ?? standard) == "true" }
        return CreditSettings(
            isStrict: isStrict, readByKey: isOpen("credits.read_by_key", default: "true"),
            claimByName: isOpen("credits.claim_by_name", default: "true"),
            clientRedeem: isOpen("credits.client_redeem", default: "true"),
            clientCodes: isOpen("credits.client_codes", default: "false"),
            clientApply: isOpen("credits.client_apply", default: "true"),
            mergeOnLogin: self["credits.merge_on_login"] == "true")
    }
}
