import LindenKernel

/// The density of an address: the number of visitors behind it, estimated from recent clicks and sessions. A home has a family; the shared
/// address of a carrier or office may have thousands.
///
/// Counts end at the limit of the look-up, see ``reachesLimit``.
package struct AddressDensity: Sendable, Equatable {
    /// Clicks by people (not bots) that no install has claimed yet.
    package var pendingClicks: Int
    /// The browsers that made those clicks, by their cookies: two clicks of one browser count once.
    package var browsers: Int
    /// The number of different combinations of system and browser, with versions, among them.
    package var browserKinds: Int
    /// Devices that had a session, except the one that is being matched.
    package var devices: Int
    /// Whether the look-up stopped at its limit: the address has many visitors, however few of the rows read were recent enough.
    package var reachesLimit: Bool

    package init(pendingClicks: Int = 0, browsers: Int = 0, browserKinds: Int = 0, devices: Int = 0, reachesLimit: Bool = false) {
        self.pendingClicks = pendingClicks
        self.browsers = browsers
        self.browserKinds = browserKinds
        self.devices = devices
        self.reachesLimit = reachesLimit
    }

    /// How long the address of a device is remembered. Addresses are reassigned within days; a link's window may be longer, but sharing of
    /// an address shows within this time.
    package static let memory: Duration = .seconds(86_400)
}

package protocol AddressReader {
    /// Returns the density of an address within a scope; zero for an unknown address.
    ///
    /// - Parameters:
    ///   - addresses: the stored forms of the address in clicks and sessions, see ``StoredAddress/all``.
    ///   - since: the earliest time that counts. Devices are remembered for ``AddressDensity/memory`` only.
    ///   - device: the device that is being matched, which does not count.
    ///   - limit: the maximum number of clicks, and of devices, read for each form.
    func density(of addresses: [String], in scope: Scope, since: Timestamp, besides device: Device.ID?, limit: Int) throws
        -> AddressDensity
    /// Returns the number of other devices of the same kind that had a session from an address.
    ///
    /// - Parameters:
    ///   - traits: the kind. System and version must be equal, and the model where both have one.
    ///   - since: the earliest time that counts.
    ///   - limit: the maximum count for each form of the address.
    func devices(
        like traits: Evidence.Traits, at addresses: [String], in scope: Scope, since: Timestamp, besides device: Device.ID?,
        limit: Int
    ) throws -> Int
    /// Whether any device was last seen at its address before a time.
    func hasDeviceAddresses(before time: Timestamp) throws -> Bool
}

package protocol AddressRepository: AddressReader {
    /// Records that a device has a session from an address now. Does nothing for an unknown address.
    func record(device: Device.ID, _ description: DeviceDescription, from address: String, in scope: Scope, time: Timestamp) throws
    /// Deletes the addresses of devices last seen before `time`: at most `limit` of them, plus those with the same time as the last of
    /// these.
    func deleteDeviceAddresses(before time: Timestamp, limit: Int) throws
}
