import Foundation
import Linden

/// The people of one history and the networks they are in.
struct World: Sendable {
    let mix: NetworkMix
    let offices: [Office]
    private let officesBySize: Weighted<Office>
    /// By region.
    private let gateways: [[Gateway]]
    /// In each region.
    private let hotspots: Int
    private let market: PhoneMarket
    private let places: Weighted<PlaceKind>
    private let regions = Weighted(Figures.regions)
    private let languages = Weighted(Figures.languages)
    private var households: [Int: Int] = [:]

    /// - Parameter people: how many will take part; it says how many networks there are.
    init(_ mix: NetworkMix, people: Int, _ random: inout SeededRandom) {
        self.mix = mix
        let market = PhoneMarket(iPhoneShare: mix.iPhoneShare)
        self.market = market
        places = Weighted(mix.places)
        // Everybody has a carrier, wherever he is when he clicks.
        let behindTranslators = Double(people) * (mix.serverHasIPv6 ? 1 - Figures.cellularIPv6 : 1)
        let takingPart = Figures.subscribersPerAddress * Figures.participation * Double(Figures.addressesPerGateway)
        let population = Figures.regions.map(\.1).reduce(0, +)
        gateways = Figures.regions.map { region, weight in
            (0..<max(1, Int(behindTranslators * weight / population / takingPart))).map {
                Gateway(region: region, number: $0, isPaired: !random.chance(Figures.arbitraryPooling))
            }
        }
        let guests = Double(people) * mix.share(.hotspot)
        hotspots = Int((guests / Figures.guestsPerHotspot / Double(Figures.regions.count)).rounded(.up))
        let colleagues = Figures.officeSize.median * exp(Figures.officeSize.sigma * Figures.officeSize.sigma / 2)
        let offices = Int((Double(people) * mix.share(.office) / (colleagues * Figures.officeParticipation)).rounded(.up))
        let regions = regions
        self.offices = (0..<offices).map { number in
            Office(
                number: number, region: regions.pick(&random),
                employees: Int(Figures.officeSize.median * exp(Figures.officeSize.sigma * random.normal())),
                companyPhone: market.make(&random))
        }
        // Larger offices have more who take part.
        officesBySize = Weighted(self.offices.map { ($0, Double($0.employees)) })
    }

    // MARK: People

    mutating func stranger(_ random: inout SeededRandom) -> Person {
        let office = offices.isEmpty ? nil : officesBySize.pick(&random)
        return person(in: household(in: office?.region ?? regions.pick(&random), &random), at: office, &random)
    }

    mutating func colleague(at office: Office, _ random: inout SeededRandom) -> Person {
        person(in: household(in: office.region, &random), at: office, &random)
    }

    mutating func housemate(of other: Person, _ random: inout SeededRandom) -> Person {
        person(in: other.home, at: nil, &random)
    }

    /// A phone that nobody has.
    func anyPhone(_ random: inout SeededRandom) -> Phone {
        let region = regions.pick(&random)
        return market.phone(market.make(&random), language: languages.pick(&random), timeZone: region.timeZone, &random)
    }

    private mutating func household(in region: Region, _ random: inout SeededRandom) -> Household {
        households[region.id, default: 0] += 1
        return Household(
            number: households[region.id]!, region: region, language: languages.pick(&random),
            hasIPv6: random.chance(Figures.homeIPv6), isRenumbered: random.chance(Figures.renumberedHomes))
    }

    private func person(in home: Household, at office: Office?, _ random: inout SeededRandom) -> Person {
        let isCompanyPhone = office != nil && random.chance(Figures.companyPhones)
        let make = isCompanyPhone ? office!.companyPhone : market.make(&random)
        let language = random.chance(Figures.householdSharesLanguage) ? home.language : languages.pick(&random)
        let phone = market.phone(make, language: language, timeZone: home.region.timeZone, &random)
        let seed = random.next()
        let inRegion = gateways[home.region.id]
        return Person(
            phone: phone, home: home, office: office, gateway: inRegion[Int(mixed(seed) % UInt64(inRegion.count))],
            hasCellularIPv6: random.chance(Figures.cellularIPv6),
            usesRelay: phone.os == .iOS && random.chance(mix.relayShare), seed: seed)
    }

    // MARK: Places

    /// Where somebody is at a time; nobody is at the office at night.
    func place(of person: Person, at time: Timestamp, _ random: inout SeededRandom) -> Place {
        place(places.pick(&random), of: person, at: time, &random)
    }

    /// Where somebody is who was at `before` some while ago.
    func place(
        of person: Person, at time: Timestamp, from before: Place, after delay: Duration, _ random: inout SeededRandom
    ) -> Place {
        if random.chance(mix.switching) { return place(mix.switchesTo, of: person, at: time, &random) }
        let hasStayed = random.chance(exp(-delay.inSeconds / Figures.staysFor.inSeconds))
        return hasStayed ? before : place(of: person, at: time, &random)
    }

    private func place(_ kind: PlaceKind, of person: Person, at time: Timestamp, _ random: inout SeededRandom) -> Place {
        switch kind {
        case .home: .home
        case .office:
            if let office = person.office, Timetable.isAtWork(time, in: person.region) { .office(office.number) } else { .home }
        case .cellular: .cellular
        case .hotspot: .hotspot(person.region.id * hotspots + random.number(below: hotspots))
        }
    }
}
