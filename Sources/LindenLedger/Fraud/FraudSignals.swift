import Linden
import LindenKernel

package protocol FraudSignalReader {
    /// The number of devices created since a time that were recorded at an address; counts up to `limit`.
    func newDevices(at address: String, in scope: Scope, since: Timestamp, limit: Int64) throws -> Int64
    /// The number of devices of a model created since a time; counts up to `limit`.
    func newDevices(model: String, in scope: Scope, since: Timestamp, limit: Int64) throws -> Int64
    /// The fraud signals of a device, as sentences; empty if it is not flagged.
    func fraudSignals(of device: Device.ID) throws -> [String]
}

package protocol FraudSignalRepository: FraudSignalReader {
    func setFraudSignals(_ signals: [String], of device: Device.ID) throws
}

/// A read-write transaction, as far as fraud signals need it: flags, settings, devices, clicks and the time.
package protocol FraudTransaction: FraudSignalRepository, AppReader, DeviceReader, ClickReader, SnapshotReader {}

/// The fraud signals of devices within a transaction.
struct FraudSignals {
    let transaction: any FraudTransaction

    /// Flags the device of an install that matches the app's fraud signals. The flag applies to all later rewards of the device.
    func flagInstall(_ session: Session, from addresses: [String]) throws {
        guard session.kind.isInstall, let settings = try transaction.app(session.scope.app)?.configuration.fraud,
            settings.looksAtInstalls
        else {
            return
        }
        try flag(session.device, because: try signals(of: session, from: addresses, settings))
    }

    /// Adds fraud signals to those of a device.
    func flag(_ device: Device.ID, because signals: [String]) throws {
        let known = try transaction.fraudSignals(of: device)
        let new = signals.filter { !known.contains($0) }
        if !new.isEmpty { try transaction.setFraudSignals(known + new, of: device) }
    }

    private func signals(of session: Session, from addresses: [String], _ settings: FraudSettings) throws -> [String] {
        let since = transaction.now - FraudSettings.window
        let device = try transaction.device(session.device)?.description
        var signals: [String] = []
        if let limit = settings.installsPerAddress,
            try addresses.reduce(
                0, { try $0 + transaction.newDevices(at: $1, in: session.scope, since: since, limit: limit + 1) }) > limit
        {
            signals.append("More than \(limit) new devices came from its address within a day.")
        }
        if let limit = settings.installsPerModel, let model = device?.model,
            try transaction.newDevices(model: model, in: session.scope, since: since, limit: limit + 1) > limit
        {
            signals.append("More than \(limit) new devices of its model came within a day.")
        }
        if let least = settings.secondsAfterClick, let seconds = try secondsSinceClick(session), seconds < least {
            signals.append("It was installed \(seconds) seconds after the click.")
        }
        if settings.flagsEmulators, let device, Emulator.isOne(device) { signals.append("It is an emulator.") }
        return signals
    }

    /// The time between the session's click and now. Nil without a click, and if the link itself opened the app.
    private func secondsSinceClick(_ session: Session) throws -> Int64? {
        guard let click = try session.click.flatMap({ try transaction.click($0) }), click.reason != nil else { return nil }
        return (transaction.now.milliseconds - click.id.time.milliseconds) / 1000
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
