import Linden
import LindenKernel

/// The devices and clicks seen at each address of an app, in memory.
struct AddressTable {
    private struct Place: Hashable {
        let app: Int
        let address: String
    }

    private struct Seen {
        let time: Timestamp
        let traits: Evidence.Traits
    }

    private static let window: Duration = .seconds(7200)

    private var devices: [Place: [UInt64: Seen]] = [:]
    private var clicks: [Place: [(id: Int, time: Timestamp)]] = [:]
    private var claimed: Set<Int> = []

    mutating func note(_ click: SimulatedClick) {
        let place = Place(app: click.app, address: click.address.key)
        clicks[place, default: []].removeAll { $0.time + Self.window <= click.time }
        clicks[place, default: []].append((click.id, click.time))
    }

    mutating func note(_ install: SimulatedInstall) {
        let place = Place(app: install.app, address: install.address.key)
        if devices[place, default: [:]].count > 256 {
            devices[place] = devices[place]?.filter { $0.value.time + Self.window > install.time }
        }
        devices[place, default: [:]][install.device] = Seen(time: install.time, traits: install.traits)
    }

    mutating func claim(_ click: Int) {
        claimed.insert(click)
    }

    /// Counts every click as one of a separate browser, as without cookies. One click is left out as the device's own.
    func density(of install: SimulatedInstall) -> Evidence.AddressDensity {
        let limit = AttributionRules.standard.densityLimit
        let place = Place(app: install.app, address: install.address.key)
        let devices = others(besides: install).count
        let clicks = clicks[place, default: []].count { $0.time + Self.window > install.time && !claimed.contains($0.id) }
        return Evidence.AddressDensity(devices: Int64(min(devices, limit)), clicks: Int64(min(max(0, clicks - 1), limit)))
    }

    /// The number of other devices of the same kind (model and OS version) at the address.
    func devices(like traits: Evidence.Traits, besides install: SimulatedInstall) -> Int64 {
        Int64(others(besides: install).count { $0.traits.isSameKind(as: traits) })
    }

    private func others(besides install: SimulatedInstall) -> [Seen] {
        let place = Place(app: install.app, address: install.address.key)
        return devices[place, default: [:]].filter { $0.key != install.device && $0.value.time + Self.window > install.time }
            .map(\.value)
    }
}
