package protocol SuspicionReader {
    /// How many devices that are new since a time were at an address; no more than `limit` are counted.
    func newDevices(at address: String, in scope: Scope, since: Timestamp, limit: Int64) throws -> Int64
    /// The same for a model.
    func newDevices(model: String, in scope: Scope, since: Timestamp, limit: Int64) throws -> Int64
    /// What speaks against a device, in words.
    func suspicions(against device: Device.ID) throws -> [String]
}

package protocol SuspicionRepository: SuspicionReader {
    func setSuspicions(_ reasons: [String], against device: Device.ID) throws
}

extension Transaction {
    /// Notes what speaks against the device of an install, for the rewards of whatever it does from then on.
    func noteSuspicions(_ session: Session, from addresses: [String]) throws {
        guard session.kind.isInstall, let settings = try app(session.scope.app)?.configuration.fraud, settings.looksAtInstalls
        else {
            return
        }
        try suspect(session.device, because: try suspicions(of: session, from: addresses, settings))
    }

    /// Adds to what speaks against a device.
    func suspect(_ device: Device.ID, because reasons: [String]) throws {
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

    /// Nil if no click of a link came before, but the app was opened by the link itself.
    private func secondsSinceClick(_ session: Session) throws -> Int64? {
        guard let click = try session.click.flatMap(click), click.reason != nil else { return nil }
        return (now.milliseconds - click.id.time.milliseconds) / 1000
    }
}

/// Devices that are programs on a computer, by the names that their systems' own emulators give themselves.
enum Emulator {
    private static let words = [
        "sdk_gphone", "google_sdk", "emulator", "android sdk built for", "genymotion", "simulator", "goldfish", "ranchu", "vbox",
    ]
    /// What iOS's simulator says as its model: the computer's processor.
    private static let processors: Set<String> = ["i386", "x86_64", "arm64"]

    static func isOne(_ device: DeviceDescription) -> Bool {
        let names = [device.model, device.brand].compactMap { $0?.lowercased() }
        return names.contains { name in processors.contains(name) || words.contains { name.contains($0) } }
    }
}
