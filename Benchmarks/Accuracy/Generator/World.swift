import Foundation
import LindenKernel

/// The people of a history and their networks.
struct World: Sendable {
    let mix: NetworkMix
    let assumptions: Assumptions
    let offices: [Office]
    private let officesBySize: Weighted<Office>
    /// The carriers' gateways of each region.
    private let gateways: [[Gateway]]
    /// The number of hotspots in each region.
    private let hotspots: Int
    private let market: PhoneMarket
    private let places: Weighted<PlaceKind>
    private let regions = Weighted(Figures.regions)
    private let languages: Weighted<Language>
    private var households: [Int: Int] = [:]

    /// - Parameter people: the number of people who take part, which determines the number of networks.
    init(_ mix: NetworkMix, people: Int, _ assumptions: Assumptions, _ random: inout SeededRandom) {
        self.mix = mix
        self.assumptions = assumptions
        languages = Weighted(assumptions.german ? Figures.languagesOfGermany : Figures.languages)
        let density = assumptions.density
        let market = PhoneMarket(iPhoneShare: mix.iPhoneShare, assumptions)
        self.market = market
        places = Weighted(mix.places)
        // All people have a carrier, wherever they click.
        let behindTranslators = Double(people) * (mix.serverHasIPv6 ? 1 - Figures.cellularIPv6 : 1)
        let takingPart = Figures.subscribersPerAddress * Figures.participation * density * Double(Figures.addressesPerGateway)
        let population = Figures.regions.map(\.1).reduce(0, +)
        gateways = Figures.regions.map { region, weight in
            (0..<max(1, Int(behindTranslators * weight / population / takingPart))).map {
                Gateway(region: region, number: $0, isPaired: !random.chance(Figures.arbitraryPooling))
            }
        }
        let guests = Double(people) * mix.share(.hotspot)
        hotspots = Int((guests / (Figures.guestsPerHotspot * density) / Double(Figures.regions.count)).rounded(.up))
        let colleagues = Figures.officeSize.median * exp(Figures.officeSize.sigma * Figures.officeSize.sigma / 2)
        let offices = Int((Double(people) * mix.share(.office) / (colleagues * Figures.officeParticipation * density)).rounded(.up))
        let regions = regions
        self.offices = (0..<offices).map { number in
            Office(
                number: number, region: regions.pick(&random),
                employees: Int(Figures.officeSize.median * exp(Figures.officeSize.sigma * random.normal())),
                companyPhones: random.chance(assumptions.issuing) ? market.companyPhones(&random) : [],
                egress: random.chance(assumptions.egress) ? 2 + random.number(below: 3) : 1)
        }
        // Larger offices have more people who take part.
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
        person(in: other.home, at: nil, beside: other.phone.make, &random)
    }

    /// Draws a phone that belongs to no person.
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

    /// - Parameter other: another phone of the household.
    private func person(
        in home: Household, at office: Office?, beside other: PhoneMake? = nil, _ random: inout SeededRandom
    ) -> Person {
        let issued = office?.companyPhones ?? []
        let make =
            if !issued.isEmpty, random.chance(assumptions.companyPhones) {
                issued[random.number(below: issued.count)]
            } else {
                other.map { market.make(beside: $0, &random) } ?? market.make(&random)
            }
        let language = random.chance(Figures.householdSharesLanguage) ? home.language : languages.pick(&random)
        let phone = market.phone(make, language: language, timeZone: home.region.timeZone, &random)
        let seed = random.next()
        let inRegion = gateways[home.region.id]
        return Person(
            phone: phone, home: home, office: office, gateway: inRegion[Int(mixed(seed) % UInt64(inRegion.count))],
            hasCellularIPv6: random.chance(Figures.cellularIPv6),
            usesRelay: phone.os == .iOS && random.chance(mix.relayShare), usesVPN: random.chance(assumptions.vpn), seed: seed)
    }

    // MARK: Places

    /// Draws a person's place at a time; offices are empty at night.
    func place(of person: Person, at time: Timestamp, _ random: inout SeededRandom) -> Place {
        place(places.pick(&random), of: person, at: time, &random)
    }

    /// Draws the place of a person who was at `before` a delay ago.
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
