/// A part of the country, with its own carriers' gateways and relay addresses.
struct Region: Sendable, Hashable {
    let id: Int
    let timeZone: String
    /// In hours, from UTC.
    let offset: Int

    init(_ id: Int, _ timeZone: String, _ offset: Int) {
        self.id = id
        self.timeZone = timeZone
        self.offset = offset
    }
}

struct Household: Sendable {
    /// Counted within its region.
    let number: Int
    let region: Region
    let language: Language
    let hasIPv6: Bool
    /// Its provider gives a new address each day.
    let isRenumbered: Bool
}

struct Office: Sendable {
    let number: Int
    let region: Region
    let employees: Int
    /// What the employer hands out; empty where it issues none.
    let companyPhones: [PhoneMake]
    /// Addresses by which connections leave.
    let egress: Int
}

/// A carrier's address translator, behind which a phone stays.
struct Gateway: Sendable {
    let region: Region
    /// Counted within its region.
    let number: Int
    /// Gives each phone one address at a time, as it should.
    let isPaired: Bool
}

/// Somebody with a phone and the networks it is in now and then.
struct Person: Sendable {
    let phone: Phone
    let home: Household
    let office: Office?
    let gateway: Gateway
    let hasCellularIPv6: Bool
    let usesRelay: Bool
    let usesVPN: Bool
    /// Of whatever is the same for this person each time.
    let seed: UInt64

    var region: Region { home.region }
}

/// Where somebody is, as far as the network goes.
enum Place: Sendable, Hashable {
    case home, cellular
    case office(Int)
    case hotspot(Int)
}
