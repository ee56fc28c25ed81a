/// What an app's settings leave open to anybody who has its public key.
package enum CreditSettingsCheck {
    package static func findings(on app: App) -> [Finding] {
        let settings = app.configuration.credits
        return [
            finding(
                "credits.read_by_key", isOpen: settings.readByKey, app,
                open: "reads the credits of a user whose name he knows",
                closed:
                    "who has neither the secret nor a user's token reads nothing by a name. Whoever logs in by that name (/v1/profile), "
                    + "as an app does for its user, still gets his token"),
            finding(
                "credits.client_redeem", isOpen: settings.clientRedeem, app,
                open:
                    "logs in by a user's name if he knows it (/v1/profile), as an app does, and then reads and redeems his credits. "
                    + "Nothing but this setting protects what users spend",
                closed: "only who has the secret redeems"),
            finding(
                "credits.client_codes", isOpen: settings.clientCodes, app,
                open: "makes referral codes for as many credits as he likes", closed: "only who has the secret makes referral codes"
            ),
            finding(
                "credits.client_apply", isOpen: settings.clientApply, app,
                open: "applies referral codes as often as he makes himself out to be a new installation",
                closed: "only who has the secret applies referral codes"),
        ]
    }

    private static func finding(_ setting: String, isOpen: Bool, _ app: App, open: String, closed: String) -> Finding {
        guard isOpen else { return Finding(setting, .ok, "\(setting) is off: \(closed).", app: app.id) }
        return Finding(
            setting, .warning,
            "Anybody with the public key of \(app.name) \(open). If no SDK of yours needs that: linden apps update "
                + "\(app.id.rawValue) --set \(setting)=false", app: app.id)
    }
}
