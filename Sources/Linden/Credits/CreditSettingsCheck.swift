/// What an app's settings leave open to anybody who has its public key.
package enum CreditSettingsCheck {
    package static func findings(on app: App) -> [Finding] {
        let settings = app.configuration.credits
        return [
            finding(
                "credits.read_by_key", isOpen: settings.readByKey, app,
                open: "reads the credits of a user whose name he knows"),
            finding(
                "credits.client_redeem", isOpen: settings.clientRedeem, app,
                open: "who knows a user's token redeems his credits, as SDKs do"),
            finding(
                "credits.client_codes", isOpen: settings.clientCodes, app,
                open: "makes referral codes for as many credits as he likes"),
        ]
    }

    private static func finding(_ setting: String, isOpen: Bool, _ app: App, open: String) -> Finding {
        guard isOpen else { return Finding(setting, .ok, "\(setting) is off: only who has the secret may.", app: app.id) }
        return Finding(
            setting, .warning,
            "Anybody with the public key of \(app.name) \(open). If no SDK of yours needs that: linden apps update "
                + "\(app.id.rawValue) --set \(setting)=false", app: app.id)
    }
}
