/// What an app takes for signs of fraud, and what becomes of the rewards behind them. All of it is off unless the app says so: what is
/// usual differs from app to app.
struct FraudSettings: Sendable {
    /// How new installs are counted.
    static let window: Duration = .seconds(86_400)
    /// As many as are ever counted.
    static let highestLimit: Int64 = 10_000

    enum Action: String, CaseIterable {
        /// The reward waits for the operator.
        case hold
        /// The reward is given and taken back at once, so that its user reads of it.
        case remove
    }

    /// More new devices from one address within a day are suspicious.
    let installsPerAddress: Int64?
    /// More new devices of one model within a day are suspicious.
    let installsPerModel: Int64?
    /// An install so few seconds after its click is suspicious: no store is that fast.
    let secondsAfterClick: Int64?
    let suspectsEmulators: Bool
    /// Whether somebody who comes from where the user who refers him just was is suspicious. Otherwise nobody refers him.
    let suspectsReferrersAddress: Bool
    let action: Action

    /// Whether anything about an install itself may be suspicious.
    var looksAtInstalls: Bool {
        installsPerAddress != nil || installsPerModel != nil || secondsAfterClick != nil || suspectsEmulators
    }
}

extension AppConfiguration {
    static let fraudAction = "fraud.action"

    var fraud: FraudSettings {
        func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }
        return FraudSettings(
            installsPerAddress: number("fraud.installs_per_address"), installsPerModel: number("fraud.installs_per_model"),
            secondsAfterClick: number("fraud.seconds_after_click"), suspectsEmulators: self["fraud.emulators"] == "true",
            suspectsReferrersAddress: self["fraud.self_referral"] == "true",
            action: self[Self.fraudAction].flatMap(FraudSettings.Action.init(rawValue:)) ?? .hold)
    }
}
