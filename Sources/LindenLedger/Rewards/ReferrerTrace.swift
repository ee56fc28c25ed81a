import Linden
import LindenKernel

package protocol ReferrerTraceReader: ReferralReader, DeviceReader, SnapshotReader {}

/// What shows that a referrer uses a device: its users, its ids, and where it was.
///
/// With `security=strict` only the referrer's first device counts as the referrer's. On another one anyone can log in who knows the name,
/// would find out by rewards that fail to come who shared a link, and could keep a referrer from being rewarded.
struct ReferrerTrace {
    let reader: any ReferrerTraceReader
    let referrer: Identity.ID
    let isStrict: Bool

    /// Whether a device is, or was, the referrer's, or is the same phone as one that is, by hardware or advertising id.
    func isPhone(_ device: Device.ID) throws -> Bool {
        guard isStrict else {
            return try reader.wasUsed(device, by: referrer) || reader.isSamePhone(device, asOneOf: referrer)
        }
        guard let first = try reader.firstDevice(of: referrer) else { return false }
        guard first != device else { return true }
        guard let own = try reader.device(first)?.description, let other = try reader.device(device)?.description else {
            return false
        }
        return own.hardwareID != nil && own.hardwareID == other.hardwareID
            || own.advertisingID != nil && own.advertisingID == other.advertisingID
    }

    /// Whether the referrer was at one of the addresses within the standard match window.
    func wasAt(_ addresses: [String], in scope: Scope) throws -> Bool {
        let since = reader.now - .seconds(Link.standardMatchSeconds)
        guard isStrict else { return try addresses.contains { try reader.wasAt($0, referrer, in: scope, since: since) } }
        guard let first = try reader.firstDevice(of: referrer) else { return false }
        return try addresses.contains { try reader.wasAt($0, first, in: scope, since: since) }
    }
}
