import Linden

/// Makes up what happens on one server: people click links, some of them install, others install without a click, and robots fetch links.
///
/// The same mix, size and seed always give the same history.
struct HistoryGenerator {
    private var world: World
    private var campaigns: Campaigns
    private let people: Int
    private var random: SeededRandom
    private var recorder = Recorder()

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

    /// Comes to a link, and perhaps tells somebody at home or at work of it.
    private mutating func follow(_ person: Person, _ app: Int, by channel: Channel) {
        let (target, sent) = campaigns.target(app, by: channel, &random)
        let time = sent ?? anyTime(person)
        let place = world.place(of: person, at: time, &random)
        if channel == .referral, random.chance(Figures.previewOfReferral) { preview(target, app, for: person, at: time) }
        visit(Visit(person: person, app: app, target: target, channel: channel, time: time, place: place))
        guard random.chance(Figures.tellsNeighbour) else { return }
        tell(neighbour(of: person, at: place), of: target, app, at: place, time)
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

    // MARK: What the server sees

    private struct Visit {
        let person: Person
        let app: Int
        let target: Target
        let channel: Channel
        let time: Timestamp
        let place: Place
    }

    private static let inAppBrowsers = Weighted(Figures.inAppBrowsers)
    private static let iOSBrowsers = Weighted(Figures.iOSBrowsers)
    private static let androidBrowsers = Weighted(Figures.androidBrowsers)

    /// One person's clicks and, if it comes to that, her install.
    private mutating func visit(_ visit: Visit) {
        let person = visit.person
        let isInApp = random.chance(Figures.inAppShare(visit.channel))
        let browsers = isInApp ? Self.inAppBrowsers : person.phone.os == .iOS ? Self.iOSBrowsers : Self.androidBrowsers
        let browser = browsers.pick(&random)
        var last = visit.time
        var clicks = [click(visit, visit.target, browser, at: last, isSecond: false)]
        if random.chance(Figures.clicksTwice) {
            last = last + .seconds(1) + random.exponential(mean: Figures.secondClickAfter)
            let isOther = random.chance(Figures.secondClickIsOther)
            let target = isOther ? campaigns.target(visit.app, by: .post, &random).0 : visit.target
            // What led to the install is what she clicked last, and what leads to the same.
            if target != visit.target { clicks = [] }
            clicks.insert(click(visit, target, browser, at: last, isSecond: true), at: 0)
        }
        sendRobots()
        guard random.chance(Figures.conversion(visit.channel)) else { return }
        let delay = installDelay()
        let place = world.place(of: person, at: last + delay, from: visit.place, after: delay, &random)
        install(person, visit.app, at: last + delay, place, clicks: clicks)
    }

    /// - Returns: the number under which the recorder keeps it.
    private mutating func click(_ visit: Visit, _ target: Target, _ browser: BrowserName, at time: Timestamp, isSecond: Bool) -> Int
    {
        let person = visit.person
        let (address, network) = world.address(of: person, at: visit.place, time, for: .browser(browser), &random)
        let report = person.phone.report(of: browser, hintsHaveCome: isSecond || random.chance(Figures.hintsHaveCome))
        let isChromium = report.hasHints
        let page = PageReport(
            timeZone: person.phone.timeZone, screen: person.phone.make.model.screen.roundedUp,
            osVersion: isChromium ? person.phone.make.osVersion : nil, model: isChromium ? person.phone.make.model.name : nil)
        let hasReported = random.chance(Figures.pageReports)
        var click = SimulatedClick(
            id: 0, time: time, app: Campaigns.app(of: target.link), link: target.link, content: target.content, address: address,
            browser: report, page: hasReported ? page : nil, isRobot: false, network: network)
        let recorded = recorder.record(click)
        if random.chance(Figures.prefetched) {
            click = SimulatedClick(
                id: 0, time: time - .seconds(1), app: click.app, link: click.link, content: click.content, address: address,
                browser: report, page: nil, isRobot: true, isPrefetch: true, network: network)
            _ = recorder.record(click)
        }
        return recorded
    }

    private mutating func installDelay() -> Duration {
        let curve = random.chance(Figures.delayTailShare) ? Figures.delayTail : Figures.delayBody
        return min(max(random.logNormal(curve), Figures.shortestDelay), Figures.longestDelay)
    }

    private mutating func install(_ person: Person, _ app: Int, at time: Timestamp, _ place: Place, clicks: [Int]) {
        let phone = person.phone
        let (address, network) = world.address(of: person, at: place, time, for: .app, &random)
        recorder.record(
            SimulatedInstall(
                id: recorder.installs, time: time, app: app, address: address, os: phone.os, osVersion: phone.make.osVersion,
                apiLevel: phone.make.apiLevel, model: phone.make.model.name, language: phone.language, timeZone: phone.timeZone,
                screen: phone.make.model.screen, webView: phone.webViewReport, opening: .nothing, network: network,
                ownClicks: clicks))
    }

    // MARK: Robots

    /// The sender's phone fetches the link for its message. Under one roof that comes from the address of whoever gets it.
    private mutating func preview(_ target: Target, _ app: Int, for person: Person, at time: Timestamp, _ place: Place? = nil) {
        let sender = place == nil ? world.stranger(&random) : person
        let sent = time - random.exponential(mean: Figures.afterTold.median)
        let (address, network) = world.address(of: sender, at: place ?? .home, sent, for: .app, &random)
        let agent = RobotAgents.onPhones[random.number(below: RobotAgents.onPhones.count)]
        _ = recorder.record(
            SimulatedClick(
                id: 0, time: sent, app: app, link: target.link, content: target.content, address: address,
                browser: RobotAgents.report(agent), page: nil, isRobot: true, network: network))
    }

    /// The robots that come for each person's visit; some say they are phones.
    private mutating func sendRobots() {
        guard random.chance(Figures.robotsPerClick) else { return }
        let app = campaigns.app(&random)
        let target = campaigns.target(app, by: .post, &random).0
        let isDisguised = random.chance(Figures.disguisedRobots)
        let agent = RobotAgents.inDataCentres[random.number(below: RobotAgents.inDataCentres.count)]
        let phone = world.anyPhone(&random)
        _ = recorder.record(
            SimulatedClick(
                id: 0, time: Timetable.anyTime(in: Figures.regions[0].0, &random), app: app, link: target.link,
                content: target.content, address: world.dataCentre(&random),
                browser: isDisguised
                    ? phone.report(of: phone.os == .iOS ? .safari : .chrome, hintsHaveCome: false) : RobotAgents.report(agent),
                page: nil, isRobot: !isDisguised, network: .dataCentre))
    }
}
