/// An app's fraud signals, and the action on rewards of flagged devices. All signals are off by default, because normal values differ from
/// app to app.
package struct FraudSettings: Sendable {
    /// The period over which new devices are counted.
    package static let window: Duration = .seconds(86_400)
    /// The highest limit that can be configured.
    static let highestLimit: Int64 = 10_000

    package enum Action: String, CaseIterable {
        /// The reward waits for the operator's decision.
        case hold
        /// The reward is granted and reversed immediately, so that both appear in the user's history.
        case remove
    }

    /// The number of new devices from one address within a day above which an install is flagged; nil for no limit.
    package let installsPerAddress: Int64?
    /// The number of new devices of one model within a day above which an install is flagged; nil for no limit.
    package let installsPerModel: Int64?
    /// The number of seconds after its click before which an install is flagged, because no store is that fast; nil for no limit.
    package let secondsAfterClick: Int64?
    package let flagsEmulators: Bool
    /// Whether a referral from an address where the referrer has just been flags the device. If not, such a session has no referrer.
    package let flagsSelfReferral: Bool
    package let action: Action

    /// Whether any signal about an install itself is on.
    package var looksAtInstalls: Bool {
        installsPerAddress != nil || installsPerModel != nil || secondsAfterClick != nil || flagsEmulators
    }
}

extension AppConfiguration {
    static let fraudAction = "fraud.action"

    package var fraud: FraudSettings {
        func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }
        return FraudSettings(
            installsPerAddress: number("fraud.installs_per_address"), installsPerModel: number("fraud.installs_per_model"),
            secondsAfterClick: number("fraud.seconds_after_click"), flagsEmulators: self["fraud.emulators"] == "true",
            flagsSelfReferral: self["fraud.self_referral"] == "true",
            action: self[Self.fraudAction].flatMap(FraudSettings.Action.init(rawValue:)) ?? .hold)
    }
}
