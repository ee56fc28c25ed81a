import LindenKernel

/// Generates a history of one server: people click links, some of them install, others install without a click, people who have the app
/// open it, and robots fetch links.
///
/// Deterministic: equal mix, size, seed and assumptions give an equal history.
struct HistoryGenerator {
    let assumptions: Assumptions
    var world: World
    var campaigns: Campaigns
    var random: SeededRandom
    var recorder = Recorder()
    private let people: Int

    static func history(
        _ mix: NetworkMix, people: Int, seed: UInt64, assumptions: Assumptions = .standard
    ) -> History {
        var generator = HistoryGenerator(mix, people: people, seed: seed, assumptions)
        generator.run()
        return generator.recorder.history(mix)
    }

    private init(_ mix: NetworkMix, people: Int, seed: UInt64, _ assumptions: Assumptions) {
        var random = SeededRandom(seed: seed, name: mix.name)
        world = World(mix, people: people, assumptions, &random)
        campaigns = Campaigns(&random)
        self.assumptions = assumptions
        self.people = people
        self.random = random
    }

    private mutating func run() {
        let organic = organicPeople
        for _ in 0..<people {
            if random.chance(organic) {
                searchStore(world.stranger(&random), campaigns.app(&random))
            } else {
                follow(world.stranger(&random), campaigns.app(&random), by: campaigns.channel(&random))
            }
        }
        for office in world.offices where random.chance(Figures.invitingOffices) { invite(office) }
        openEverywhere()
    }

    /// The share of people who install without a click, such that they are ``Figures/organicShare`` of all installs.
    private var organicPeople: Double {
        let organic = Figures.organicShare
        let conversion = 1 / (1 + assumptions.idle)
        return organic * conversion / (1 - organic + organic * conversion)
    }

    /// The probability that a click by a channel becomes an install: the published one, scaled to the assumed share of idle clicks.
    func conversion(_ channel: Channel) -> Double {
        guard channel != .invitation else { return Figures.conversion(channel) }
        return min(0.9, Figures.conversion(channel) / Figures.conversion / (1 + assumptions.idle))
    }

    // MARK: What people do

    /// Lets a person visit a link. It may reach another person in the same home or office, who may also hear of the app by word of mouth.
    private mutating func follow(_ person: Person, _ app: Int, by channel: Channel) {
        let (target, sent) = campaigns.target(app, by: channel, &random)
        let time = sent ?? anyTime(person)
        let place = world.place(of: person, at: time, &random)
        if channel == .referral, random.chance(Figures.previewOfReferral) { preview(target, app, for: person, at: time) }
        let installed = visit(Visit(person: person, app: app, target: target, channel: channel, time: time, place: place))
        if random.chance(assumptions.holders) { openNearby(person, app, at: place, time) }
        if random.chance(Figures.reachesNeighbour) {
            let later = time + random.logNormal(Figures.afterRecommendation)
            let neighbour = neighbour(of: person, at: place)
            visit(Visit(person: neighbour, app: app, target: target, channel: channel, time: later, place: place))
        }
        if random.chance(installed == nil ? assumptions.wordOfMouthIdle : assumptions.wordOfMouth) {
            tell(
                neighbour(of: person, at: place), of: target, app, at: place, by: person, hasApp: installed != nil,
                installed ?? time)
        }
    }

    /// Lets a person install without a click.
    private mutating func searchStore(_ person: Person, _ app: Int, at time: Timestamp? = nil, _ place: Place? = nil) {
        let time = time ?? anyTime(person)
        let course = installation(after: .zero, at: time)
        install(person, app, course, place ?? world.place(of: person, at: course.opened, &random), clicks: [])
    }

    private mutating func tell(
        _ neighbour: Person, of target: Target, _ app: Int, at place: Place, by teller: Person, hasApp: Bool, _ start: Timestamp
    ) {
        let time = start + random.logNormal(Figures.afterRecommendation)
        // The app is opened to show it.
        if hasApp, random.chance(Figures.showsApp) {
            open(teller, app, at: time + .minutes(random.unit() * 7 - 2), place)
        }
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

    /// Generates the visits of an office whose employer asks its people to install one app, by a shared link or by personal ones.
    private mutating func invite(_ office: Office) {
        let app = campaigns.app(&random)
        let sent = Timetable.workingTime(in: office.region, &random)
        let shared = random.chance(Figures.personalInvitation) ? nil : campaigns.target(app, by: .invitation, &random).0
        for _ in 0..<Int(Double(office.employees) * Figures.invited) {
            let person = world.colleague(at: office, &random)
            let time = sent + random.logNormal(Figures.afterRecommendation)
            let target = shared ?? campaigns.target(app, by: .invitation, &random).0
            let place = Timetable.isAtWork(time, in: office.region) ? Place.office(office.number) : .home
            visit(Visit(person: person, app: app, target: target, channel: .invitation, time: time, place: place))
        }
    }

    private static let neighbours = Weighted(Figures.neighbourDoes)

    /// Returns another person at the same place: a colleague at the office, elsewhere a housemate.
    mutating func neighbour(of person: Person, at place: Place) -> Person {
        if case .office = place, let office = person.office { return world.colleague(at: office, &random) }
        return world.housemate(of: person, &random)
    }

    mutating func anyTime(_ person: Person) -> Timestamp {
        let isWorking = person.office != nil && random.chance(world.mix.share(.office))
        return isWorking ? Timetable.workingTime(in: person.region, &random) : Timetable.anyTime(in: person.region, &random)
    }
}
