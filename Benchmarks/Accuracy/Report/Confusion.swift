/// How often an attributor was right, and in which ways it was wrong, over all openings of a kind.
struct Confusion: Sendable, Equatable, Codable {
    /// Given a click of the person's own.
    var right = 0
    /// Given another person's click, which leads to the same data as the person's own.
    var sameData = 0
    /// Given another person's click, or one that leads to other data than the last.
    var wrong = 0
    /// Organic, yet given a click.
    var organicGiven = 0
    /// Given none, though a click led here.
    var missed = 0
    /// Organic, and given none.
    var organic = 0

    var installs: Int { given + missed + organic }
    var given: Int { right + falseMatches }
    /// Those that a click led to.
    var caused: Int { right + sameData + wrong + missed }

    /// Any given a click that is not its own.
    var falseMatches: Int { sameData + wrong + organicGiven }

    /// Of those that were given a click, those that were given the right one; 1 if none was given.
    var precision: Double { given == 0 ? 1 : Double(right) / Double(given) }

    /// Of those that a click led to, those that were given it; 1 if there are none.
    var recall: Double { caused == 0 ? 1 : Double(right) / Double(caused) }

    /// Of all.
    var falseMatchShare: Double { installs == 0 ? 0 : Double(falseMatches) / Double(installs) }

    static func + (left: Confusion, right: Confusion) -> Confusion {
        Confusion(
            right: left.right + right.right, sameData: left.sameData + right.sameData, wrong: left.wrong + right.wrong,
            organicGiven: left.organicGiven + right.organicGiven, missed: left.missed + right.missed,
            organic: left.organic + right.organic)
    }

    mutating func count(_ install: SimulatedInstall, _ given: Attribution?, _ contents: [String]) {
        switch (install.cause, given) {
        case (.organic, nil): organic += 1
        case (.organic, _?): organicGiven += 1
        case (_, nil): missed += 1
        case (.link(let link), let given?):
            if given.click == nil, given.link == link { right += 1 } else { wrong += 1 }
        case (.click(let own), let given?):
            guard let click = given.click else { return wrong += 1 }
            if install.ownClicks.contains(click) {
                right += 1
            } else if contents[click] == contents[own] {
                sameData += 1
            } else {
                wrong += 1
            }
        }
    }
}

extension SimulatedInstall {
    fileprivate enum Cause {
        case organic
        case click(Int)
        /// Opened by the link itself, which is a click in its own right.
        case link(Int)
    }

    fileprivate var cause: Cause {
        if case .link(let link) = opening { return .link(link) }
        return truth.map { .click($0) } ?? .organic
    }
}
