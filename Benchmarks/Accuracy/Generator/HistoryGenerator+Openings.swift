import Linden

/// Openings by people who have the app: a crowd behind an address, and takers of clicks that are not theirs.
extension HistoryGenerator {
    /// Another person under the roof of a click, who has had the app for long, opens it within two hours of the click.
    mutating func openNearby(_ person: Person, _ app: Int, at place: Place, _ time: Timestamp) {
        let holder = neighbour(of: person, at: place)
        guard random.chance(Figures.holderOpensNearby) else { return }
        open(holder, app, at: time + .hours(random.unit() * 4 - 2), place)
    }

    /// As many openings as are assumed for each install, wherever people are.
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

    /// A holder clicks a link in a browser that does not open the app by itself. Mostly the page then opens it and names the click;
    /// otherwise it is opened by hand, or not at all.
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
