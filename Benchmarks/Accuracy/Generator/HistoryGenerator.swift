import Linden

/// Makes up what happens on one server: people click links, some of them install, others install without a click, and robots fetch
/// links.
///
/// The same mix, size and seed always give the same history.
struct HistoryGenerator {
    var world: World
    var campaigns: Campaigns
    var random: SeededRandom
    var recorder = Recorder()
    private let people: Int

    static func history(_ mix: NetworkMix, people: Int, seed: UInt64) -> History {
        var generator = HistoryGenerator(mix, people: people, seed: seed)
        generator.run()
        return generator.recorder.history(mix)
    }

    private init(_ mix: NetworkMix, people: Int, seed: UInt64) {
        var random = SeededRandom(seed: seed, name: mix.name)
        world = World(mix, people: people, &random)
        campaigns = Campaigns(&random)
        self.people = people
        self.random = random
    }

    private mutating func run() {
        for _ in 0..<people {
            if random.chance(Self.organicPeople) {
                searchStore(world.stranger(&random), campaigns.app(&random))
            } else {
                follow(world.stranger(&random), campaigns.app(&random), by: campaigns.channel(&random))
            }
        }
        for office in world.offices where random.chance(Figures.invitingOffices) { invite(office) }
    }

    /// The part of the people who install without a click, so that they are ``Figures/organicShare`` of all installs.
    private static let organicPeople: Double = {
        let weights = Figures.channels.map(\.1).reduce(0, +)
        let conversion = Figures.channels.map { Figures.conversion($0.0) * $0.1 }.reduce(0, +) / weights
        let organic = Figures.organicShare
        return organic * conversion / (1 - organic + organic * conversion)
    }()

    // MARK: What people do

    /// Comes to a link. It may reach somebody else under the same roof, and whoever has installed may tell of the app.
    private mutating func follow(_ person: Person, _ app: Int, by channel: Channel) {
        let (target, sent) = campaigns.target(app, by: channel, &random)
        let time = sent ?? anyTime(person)
        let place = world.place(of: person, at: time, &random)
        if channel == .referral, random.chance(Figures.previewOfReferral) { preview(target, app, for: person, at: time) }
        let installed = visit(Visit(person: person, app: app, target: target, channel: channel, time: time, place: place))
        if random.chance(Figures.reachesNeighbour) {
            let later = time + random.logNormal(Figures.afterTold)
            let neighbour = neighbour(of: person, at: place)
            visit(Visit(person: neighbour, app: app, target: target, channel: channel, time: later, place: place))
        }
        if let installed, random.chance(Figures.tellsNeighbour) {
            tell(neighbour(of: person, at: place), of: target, app, at: place, installed)
        }
    }

    /// Installs without ever having clicked.
    private mutating func searchStore(_ person: Person, _ app: Int, at time: Timestamp? = nil, _ place: Place? = nil) {
        let time = time ?? anyTime(person)
        install(person, app, at: time, place ?? world.place(of: person, at: time, &random), clicks: [])
    }

    private mutating func tell(_ neighbour: Person, of target: Target, _ app: Int, at place: Place, _ told: Timestamp) {
        let time = told + random.logNormal(Figures.afterTold)
        switch Self.neighbours.pick(&random) {
        case .searchesStore: searchStore(neighbour, app, at: time, place)
        case .clicksSame:
            visit(Visit(person: neighbour, app: app, target: target, channel: .referral, time: time, place: place))
        case .clicksOwn:
            let own = campaigns.target(app, by: .referral, &random).0
            preview(own, app, for: neighbour, at: time, place)
            visit(Visit(person: neighbour, app: app, target: own, channel: .referral, time: time, place: place))
        }
    }

    /// Everybody in an office is asked to install one app, by one link or each by his own.
    private mutating func invite(_ office: Office) {
        let app = campaigns.app(&random)
        let sent = Timetable.workingTime(in: office.region, &random)
        let shared = random.chance(Figures.personalInvitation) ? nil : campaigns.target(app, by: .invitation, &random).0
        for _ in 0..<Int(Double(office.employees) * Figures.invited) {
            let person = world.colleague(at: office, &random)
            let time = sent + random.logNormal(Figures.afterTold)
            let target = shared ?? campaigns.target(app, by: .invitation, &random).0
            let place = Timetable.isAtWork(time, in: office.region) ? Place.office(office.number) : .home
            visit(Visit(person: person, app: app, target: target, channel: .invitation, time: time, place: place))
        }
    }

    private static let neighbours = Weighted(Figures.neighbourDoes)

    /// Whoever is told at the office is a colleague, elsewhere of the same home.
    private mutating func neighbour(of person: Person, at place: Place) -> Person {
        if case .office = place, let office = person.office { return world.colleague(at: office, &random) }
        return world.housemate(of: person, &random)
    }

    private mutating func anyTime(_ person: Person) -> Timestamp {
        let isWorking = person.office != nil && random.chance(world.mix.share(.office))
        return isWorking ? Timetable.workingTime(in: person.region, &random) : Timetable.anyTime(in: person.region, &random)
    }
}
