package protocol SuspicionReader {
    /// The number of devices created since a time that were recorded at an address; counts up to `limit`.
    func newDevices(at address: String, in scope: Scope, since: Timestamp, limit: Int64) throws -> Int64
    /// The number of devices of a model created since a time; counts up to `limit`.
    func newDevices(model: String, in scope: Scope, since: Timestamp, limit: Int64) throws -> Int64
    /// The reasons for which a device is flagged, as sentences; empty if it is not.
    func suspicions(against device: Device.ID) throws -> [String]
}

package protocol SuspicionRepository: SuspicionReader {
    func setSuspicions(_ reasons: [String], against device: Device.ID) throws
}

extension Transaction {
    /// Flags the device of an install that matches the app's fraud signals. The flag applies to all later rewards of the device.
    func noteSuspicions(_ session: Session, from addresses: [String]) throws {
        guard session.kind.isInstall, let settings = try app(session.scope.app)?.configuration.fraud, settings.looksAtInstalls
        else {
            return
        }
        try flag(session.device, because: try suspicions(of: session, from: addresses, settings))
    }

    /// Adds reasons to a device's flag.
    func flag(_ device: Device.ID, because reasons: [String]) throws {
        let known = try suspicions(against: device)
        let new = reasons.filter { !known.contains($0) }
        if !new.isEmpty { try setSuspicions(known + new, against: device) }
    }

    private func suspicions(of session: Session, from addresses: [String], _ settings: FraudSettings) throws -> [String] {
        let since = now - FraudSettings.window
        let device = try device(session.device)?.description
        var reasons: [String] = []
        if let limit = settings.installsPerAddress,
            try addresses.reduce(0, { try $0 + newDevices(at: $1, in: session.scope, since: since, limit: limit + 1) }) > limit
        {
            reasons.append("More than \(limit) new devices came from its address within a day.")
        }
        if let limit = settings.installsPerModel, let model = device?.model,
            try newDevices(model: model, in: session.scope, since: since, limit: limit + 1) > limit
        {
            reasons.append("More than \(limit) new devices of its model came within a day.")
        }
        if let least = settings.secondsAfterClick, let seconds = try secondsSinceClick(session), seconds < least {
            reasons.append("It was installed \(seconds) seconds after the click.")
        }
        if settings.suspectsEmulators, let device, Emulator.isOne(device) { reasons.append("It is an emulator.") }
        return reasons
    }

    /// The time between the session's click and now. Nil without a click, and if the link itself opened the app.
    private func secondsSinceClick(_ session: Session) throws -> Int64? {
        guard let click = try session.click.flatMap(click), click.reason != nil else { return nil }
        return (now.milliseconds - click.id.time.milliseconds) / 1000
    }
}

/// Detection of emulators by the model and brand names that they report.
enum Emulator {
    private static let words = [
        "sdk_gphone", "google_sdk", "emulator", "android sdk built for", "genymotion", "simulator", "goldfish", "ranchu", "vbox",
    ]
    /// The model that the iOS simulator reports: the computer's processor architecture.
    private static let processors: Set<String> = ["i386", "x86_64", "arm64"]

    static func isOne(_ device: DeviceDescription) -> Bool {
        let names = [device.model, device.brand].compactMap { $0?.lowercased() }
        return names.contains { name in processors.contains(name) || words.contains { name.contains($0) } }
    }
}
