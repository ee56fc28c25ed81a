import LindenKernel

/// Openings by people who already have the app. They add to the density of an address and may claim other people's clicks.
extension HistoryGenerator {
    /// Lets another person in the same home or office, who already has the app, open it within two hours before or after a click.
    mutating func openNearby(_ person: Person, _ app: Int, at place: Place, _ time: Timestamp) {
        let holder = neighbour(of: person, at: place)
        guard random.chance(Figures.holderOpensNearby) else { return }
        open(holder, app, at: time + .hours(random.unit() * 4 - 2), place)
    }

    /// Adds openings at arbitrary places until the assumed number per install is reached.
    mutating func openEverywhere() {
        let wanted = Int(Double(recorder.installs) * assumptions.known)
        while recorder.openings < wanted {
            let person = world.stranger(&random)
            let app = campaigns.app(&random)
            for _ in 0..<1 + random.number(below: Figures.mostOpeningsOfHolder) {
                let time = anyTime(person)
                let place = world.place(of: person, at: time, &random)
                if random.chance(Figures.holderFollows) {
                    follow(person, app, at: place, time)
                } else {
                    open(person, app, at: time, place)
                }
            }
        }
    }

    /// Lets a person who has the app click a link in a browser that does not open the app by itself. In most cases the page then opens the
    /// app and names the click; otherwise the person opens it by hand, or not at all.
    private mutating func follow(_ person: Person, _ app: Int, at place: Place, _ time: Timestamp) {
        let channel = campaigns.channel(&random)
        let target = campaigns.target(app, by: channel, &random).0
        let visit = Visit(person: person, app: app, target: target, channel: channel, time: time, place: place)
        let click = click(visit, target, browser(for: channel, on: person), at: time, isSecond: false)
        if random.chance(assumptions.byHand) {
            open(person, app, at: time + random.logNormal(Figures.opensByHand), place, clicks: [click])
        } else if random.chance(Figures.pageOpensApp) {
            open(person, app, at: time + .seconds(2) + random.exponential(mean: .seconds(3)), place, clicks: [click], naming: click)
        }
    }

    /// - Parameter naming: the recorder's number of the click whose id the opening carries.
    mutating func open(
        _ person: Person, _ app: Int, at time: Timestamp, _ place: Place, clicks: [Int] = [], naming click: Int? = nil
    ) {
        record(person, app, at: time, place, clicks: clicks, isKnown: true, opening: click.map { .click($0) } ?? .nothing)
    }
}
