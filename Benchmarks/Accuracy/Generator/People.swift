/// A part of the country, with its own carriers' gateways and relay addresses.
struct Region: Sendable, Hashable {
    let id: Int
    let timeZone: String
    /// Hours from UTC.
    let offset: Int

    init(_ id: Int, _ timeZone: String, _ offset: Int) {
        self.id = id
        self.timeZone = timeZone
        self.offset = offset
    }
}

struct Household: Sendable {
    /// A number unique within the region.
    let number: Int
    let region: Region
    let language: Language
    let hasIPv6: Bool
    /// Whether the provider assigns a new address each day.
    let isRenumbered: Bool
}

struct Office: Sendable {
    let number: Int
    let region: Region
    let employees: Int
    /// The phones that the employer issues; empty if it issues none.
    let companyPhones: [PhoneMake]
    /// The number of addresses that outgoing connections use.
    let egress: Int
}

/// A carrier-grade NAT gateway, to which a phone is permanently assigned.
struct Gateway: Sendable {
    let region: Region
    /// A number unique within the region.
    let number: Int
    /// Whether each phone has one address at a time, as RFC 4787 recommends.
    let isPaired: Bool
}

/// A person with a phone and the networks it uses.
struct Person: Sendable {
    let phone: Phone
    let home: Household
    let office: Office?
    let gateway: Gateway
    let hasCellularIPv6: Bool
    let usesRelay: Bool
    let usesVPN: Bool
    /// The seed of the person's constant properties.
    let seed: UInt64

    var region: Region { home.region }
}

/// The place of a person, as far as the network is concerned.
enum Place: Sendable, Hashable {
    case home, cellular
    case office(Int)
    case hotspot(Int)
}
