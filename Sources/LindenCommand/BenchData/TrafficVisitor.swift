import Linden
import LindenKernel
import LinkRouting

/// A visitor of links, with the same device, country and address at each click.
struct TrafficVisitor: Sendable {
    let id: Browser.ID
    let phoneIndex: Int
    let browser: Visitor
    let userAgent: String
    let countryIndex: Int
    let address: String

    var phone: TrafficCatalog.Phone { TrafficCatalog.phones.elements[phoneIndex] }
    var country: (code: String, language: String, currency: Currency) { TrafficCatalog.countries.elements[countryIndex] }
}

/// The population of visitors. Each is derived from its number when it is drawn, so none is stored.
struct TrafficVisitors: Sendable {
    private let seed: UInt64
    private let count: Int
    private let first: Int64

    init(_ plan: TrafficPlan) {
        seed = plan.seed &+ UInt64(bitPattern: plan.days.lowerBound)
        count = plan.clicks * 6 / 10 + 1
        first = IDGenerator.first(at: Timestamp(milliseconds: plan.start(of: 0)))
    }

    func draw(_ random: inout SeededRandom) -> TrafficVisitor { visitor(random.roll(count)) }

    private func visitor(_ number: Int) -> TrafficVisitor {
        var random = SeededRandom(seed: seed ^ UInt64(number) &* 0xD6E8_FEB8_6659_FD93)
        let phoneIndex = TrafficCatalog.phones.index(&random)
        let phone = TrafficCatalog.phones.elements[phoneIndex]
        let computer = random.happens(inThousand: 300) ? TrafficCatalog.computers.draw(&random) : nil
        return TrafficVisitor(
            id: Browser.ID(rawValue: first + Int64(number)), phoneIndex: phoneIndex, browser: computer?.visitor ?? phone.visitor,
            userAgent: computer?.userAgent ?? phone.userAgent, countryIndex: TrafficCatalog.countries.index(&random),
            // The address range for benchmarks (RFC 2544).
            address: "198.\(18 + number >> 16 & 1).\(number >> 8 & 255).\(number & 255)")
    }
}
