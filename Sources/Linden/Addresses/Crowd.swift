/// How many people are behind one address, measured by what came from it within a time. At home it is a family; behind a carrier's or an
/// office's one address it may be thousands.
///
/// Counted as far as a look-up may go, see ``reachesLimit``.
package struct Crowd: Sendable, Equatable {
    /// People's clicks that no install has claimed yet.
    package var openClicks: Int
    /// The browsers that made those clicks, by their cookies: who clicks twice is one.
    package var browsers: Int
    /// Different systems and browsers among them, each with its version.
    package var browserKinds: Int
    /// Devices that had a session, but for the one that asks.
    package var devices: Int
    /// Whether the look-up ended before it had seen all: there are many people, however few of them were within the time.
    package var reachesLimit: Bool

    package init(openClicks: Int = 0, browsers: Int = 0, browserKinds: Int = 0, devices: Int = 0, reachesLimit: Bool = false) {
        self.openClicks = openClicks
        self.browsers = browsers
        self.browserKinds = browserKinds
        self.devices = devices
        self.reachesLimit = reachesLimit
    }

    /// How long it is remembered that a device was at an address. An address moves on to other people within days; a link's window
    /// may be longer, but who shares an address shows within this time.
    package static let memory: Duration = .seconds(86_400)
}

package protocol AddressReader {
    /// Who is behind an address of a scope; nobody behind one that is not known.
    ///
    /// - Parameters:
    ///   - addresses: the forms in which clicks and sessions have it, see ``KeptAddress/all``.
    ///   - since: what is older does not count. Devices are remembered for ``Crowd/memory`` alone.
    ///   - device: who asks, and does not count.
    ///   - limit: how many clicks, and how many devices, may be looked at in each form.
    func crowd(of addresses: [String], in scope: Scope, since: Timestamp, besides device: Device.ID?, limit: Int) throws -> Crowd
    /// How many devices of the same kind as one, and other than it, had a session from an address.
    ///
    /// - Parameters:
    ///   - traits: system and version must be the same, the model where both have one.
    ///   - since: what is older does not count.
    ///   - limit: how many are counted in each form of the address.
    func devices(
        like traits: Evidence.Traits, at addresses: [String], in scope: Scope, since: Timestamp, besides device: Device.ID?,
        limit: Int
    ) throws -> Int
    /// Whether any device was last at its address before a time.
    func hasDeviceAddresses(before time: Timestamp) throws -> Bool
}

package protocol AddressRepository: AddressReader {
    /// Notes that a device has a session from an address now. Of an address that is not known nothing is noted.
    func note(device: Device.ID, _ description: DeviceDescription, from address: String, in scope: Scope, time: Timestamp) throws
    /// Forgets where devices were before a time; at most `limit` of them, and those last seen at one moment with the last of these.
    func deleteDeviceAddresses(before time: Timestamp, limit: Int) throws
}
