import Linden
import LindenKernel

/// The frequencies of the traits of an app's devices, updated at the end of each day.
struct ProfileTable {
    private struct Group: Hashable {
        let app: Int
        let os: String
    }

    private struct Member: Hashable {
        let app: Int
        let device: UInt64
    }

    private var members: Set<Member> = []
    private var counting: [Group: DeviceProfile] = [:]
    private var learned: [Group: DeviceProfile] = [:]
    private var day: Int64 = 0

    mutating func note(_ install: SimulatedInstall) {
        if install.time.day != day { (learned, day) = (counting, install.time.day) }
        guard members.insert(Member(app: install.app, device: install.device)).inserted else { return }
        let traits = install.traits
        counting[Group(app: install.app, os: traits.os), default: DeviceProfile()].add(traits)
    }

    func commonness(of traits: Evidence.Traits, app: Int) -> (Evidence.Commonness?, [String]) {
        guard let profile = learned[Group(app: app, os: traits.os)] else { return (nil, []) }
        return (profile.commonness(of: traits), profile.languages)
    }
}
