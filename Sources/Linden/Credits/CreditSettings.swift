/// An app's settings about credits.
package struct CreditSettings: Sendable {
    /// The setting `security`: the default for calls without the secret.
    enum Security: String, CaseIterable {
        /// Whatever Branch allows, except where a single setting forbids it.
        case branch
        /// No access to credits.
        case strict
    }

    package static let securitySetting = "security"

    package let isStrict: Bool
    /// Whether the public key and an identity's developer's id suffice to read its balance and history, as with Branch.
    package let readByKey: Bool
    /// Whether a device that logs in with a developer's id has access to that identity's credits, as with Branch.
    package let claimByName: Bool
    /// Whether an app may redeem its user's credits without the secret, as SDKs do.
    package let clientRedeem: Bool
    /// Whether an app may create referral codes, and so credits, without the secret. Off by default, because few SDKs ever did (Web up to
    /// 2.61), and the public key suffices.
    package let clientCodes: Bool
    /// Whether an app may apply a referral code for its user without the secret, as SDKs do.
    package let clientApply: Bool
    /// Whether an anonymous identity's credits are moved to the identity that logs in on its device.
    package let mergeOnLogin: Bool
}

extension AppConfiguration {
    /// Whether calls with the public key alone learn and change nothing about a user whose name they know (the setting `security`).
    package var isStrict: Bool { self[CreditSettings.securitySetting] == CreditSettings.Security.strict.rawValue }

    package var credits: CreditSettings {
        let isStrict = isStrict
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
