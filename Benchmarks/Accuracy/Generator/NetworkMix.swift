/// The distribution of the places in which the people of a history click, and of network changes until they open the app.
struct NetworkMix: Sendable {
    let name: String
    let description: String
    /// Weights in percent.
    let places: [(PlaceKind, Double)]
    /// The share of people who change network before the app is open, besides those who change place with time.
    let switching: Double
    /// The kind of place of those who change network.
    let switchesTo: PlaceKind
    let iPhoneShare: Double
    /// The share of iPhones whose Safari uses the private relay.
    let relayShare: Double
    /// Whether the server has an IPv6 address. If not, IPv6-only phones are translated by their carrier's gateway, too.
    let serverHasIPv6: Bool

    init(
        _ name: String, _ description: String, places: [(PlaceKind, Double)], switching: Double = 0.04,
        switchesTo: PlaceKind = .cellular, iPhoneShare: Double = Figures.iPhoneShare, relayShare: Double = 0,
        serverHasIPv6: Bool = true
    ) {
        self.name = name
        self.description = description
        self.places = places
        self.switching = switching
        self.switchesTo = switchesTo
        self.iPhoneShare = iPhoneShare
        self.relayShare = relayShare
        self.serverHasIPv6 = serverHasIPv6
    }
}

extension NetworkMix {
    func share(_ kind: PlaceKind) -> Double {
        places.filter { $0.0 == kind }.map(\.1).reduce(0, +) / places.map(\.1).reduce(0, +)
    }
}

enum PlaceKind: Sendable, Hashable {
    case home, office, hotspot, cellular
}

extension NetworkMix {
    /// All mixes. Each shows one difficulty, the last combines them. People spend most of their phone's time on Wi-Fi, 77 to 88 % of it
    /// even away from home (Opensignal,
    /// https://www.opensignal.com/2024/10/31/wi-fi-drives-smartphone-data-consumption-in-the-us-but-trends-vary-across-operators), while
    /// worldwide it was half of all time (https://www.opensignal.com/2017/04/18/whose-customers-are-using-wifi-the-most-in-the-us): the
    /// last mix lies between both. Private relay was used by a few per mille of all traffic
    /// (https://media.ccc.de/v/denog15-37329-private-relay-services-insights-from-an-access-network-perspective) and 3–5 % of Wikipedia's
    /// editors (https://meta.wikimedia.org/wiki/Apple_iCloud_Private_Relay).
    static let all = [home, office, carrier, relay, travel, mixed]

    static let home = NetworkMix(
        "home", "homes behind NAT or with an IPv6 /64 each", places: [(.home, 100)], switching: 0.02)
    static let office = NetworkMix(
        "office", "offices with hundreds behind one address, some of which ask everybody to install",
        places: [(.office, 90), (.home, 10)],
        serverHasIPv6: false)
    static let carrier = NetworkMix(
        "carrier", "mobile networks with thousands behind one address that changes", places: [(.cellular, 100)], switching: 0.02,
        serverHasIPv6: false)
    static let relay = NetworkMix(
        "relay", "iPhones whose Safari goes through iCloud Private Relay and whose apps do not",
        places: [(.home, 75), (.cellular, 25)], iPhoneShare: 0.85, relayShare: 0.6)
    static let travel = NetworkMix(
        "travel", "from Wi-Fi to the mobile network between click and install",
        places: [(.home, 50), (.office, 20), (.hotspot, 30)],
        switching: 0.6)
    static let mixed = NetworkMix(
        "mixed", "all of these, as they may come together", places: [(.home, 52), (.office, 12), (.hotspot, 6), (.cellular, 30)],
        switching: 0.08, relayShare: 0.05)
}
