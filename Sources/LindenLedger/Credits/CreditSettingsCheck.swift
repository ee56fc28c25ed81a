import Linden
import LindenKernel

/// The doctor's check of the access to credits that an app's settings give to any holder of its public key.
package enum CreditSettingsCheck {
    package static func findings(on app: App) -> [Finding] {
        let settings = app.configuration.credits
        let open = [
            finding(
                "credits.read_by_key", isOpen: settings.readByKey, app,
                open: "can read the credits of a user whose name they know",
                closed: "credits are not read by a user's name without the secret"),
            finding(
                "credits.claim_by_name", isOpen: settings.claimByName, app,
                open:
                    "can log in by a user's name if they know it, as the app does, and has that user's credits then: reads them, "
                    + "and redeems them where credits.client_redeem is on",
                closed: "credits of a user who has a name are neither read nor redeemed without the secret"),
            finding(
                "credits.client_redeem", isOpen: settings.clientRedeem, app,
                open: "can redeem the credits of a user whose tokens they have or are given for a name",
                closed: "credits are redeemed with the secret only"),
            finding(
                "credits.client_codes", isOpen: settings.clientCodes, app,
                open: "can make referral codes for any number of credits", closed: "referral codes are made with the secret only"),
            finding(
                "credits.client_apply", isOpen: settings.clientApply, app,
                open:
                    "can apply referral codes once for each installation they make up, as often on a day as \(RewardLimits.perAddressSetting) "
                    + "and its siblings allow",
                closed: "referral codes are applied with the secret only"),
        ]
        return [security(settings, app, open.filter { $0.status != .ok }.count)] + open + limits(app)
    }

    private static func security(_ settings: CreditSettings, _ app: App, _ open: Int) -> Finding {
        let setting = CreditSettings.securitySetting
        let closed = "without the secret, an app only reads the credits of its own anonymous user."
        guard !settings.isStrict else {
            return Finding(
                setting, .ok, "security is strict: \(closed) Sessions and logins tell nothing about other users.",
                app: app.id)
        }
        let names =
            "a session tells who shared its link and which phone a text message went to, and who knows a user's name can log in by it and "
            + "read the data of that user's links"
        guard open > 0 else {
            return Finding(setting, .ok, "The settings below are closed: \(closed) As with Branch, \(names).", app: app.id)
        }
        return Finding(
            setting, .warning,
            "As with Branch, calls with the public key of \(app.name) alone can do \(open) of the following; \(names).",
            remedy: Remedy("To close all of it in one step", .set(setting, to: "strict", app: String(app.id.rawValue))), app: app.id
        )
    }

    private static func limits(_ app: App) -> [Finding] {
        let limits = app.configuration.rewardLimits
        let settings = [
            (RewardLimits.perAddressSetting, limits.perAddress, "one address"),
            (RewardLimits.perNetworkSetting, limits.perNetwork, "one network"),
            (RewardLimits.perDaySetting, limits.perDay, "all of the public key's users"),
        ]
        let off = settings.filter { $0.1 == .off }
        guard off.isEmpty else {
            return off.map { setting, _, who in
                Finding(
                    setting, .warning,
                    "\(setting) is off: made-up installs and events of \(who) earn any number of rewards on a day.",
                    remedy: Remedy("To limit them again", .set(setting, to: "", app: String(app.id.rawValue))), app: app.id)
            }
        }
        return [
            Finding(
                "fraud.rewards", .ok,
                "Rewards are limited by address, network and day; what exceeds the limits waits.",
                remedy: Remedy("To list what waits", .listHeldRewards(app: String(app.id.rawValue))), app: app.id)
        ]
    }

    private static func finding(_ setting: String, isOpen: Bool, _ app: App, open: String, closed: String) -> Finding {
        guard isOpen else { return Finding(setting, .ok, "\(setting) is off: \(closed).", app: app.id) }
        return Finding(
            setting, .warning,
            "Anyone with the public key of \(app.name) \(open).",
            remedy: Remedy("If no SDK of yours needs that", .set(setting, to: "false", app: String(app.id.rawValue))), app: app.id)
    }
}
