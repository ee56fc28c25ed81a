/// A confusion matrix of an attributor over all openings of a kind.
struct Confusion: Sendable, Equatable, Codable {
    /// Attributed to a click of the person's own.
    var right = 0
    /// Attributed to another person's click, which leads to the same data as the person's own.
    var sameData = 0
    /// Attributed to another person's click, or to one that leads to other data than the person's last.
    var wrong = 0
    /// Organic, but attributed to a click.
    var organicGiven = 0
    /// Caused by a click, but not attributed.
    var missed = 0
    /// Organic, and not attributed.
    var organic = 0

    var installs: Int { given + missed + organic }
    var given: Int { right + falseMatches }
    /// Openings caused by a click.
    var caused: Int { right + sameData + wrong + missed }

    /// Openings attributed to a click that did not cause them.
    var falseMatches: Int { sameData + wrong + organicGiven }

    /// The share of right attributions among all attributions; 1 if there are none.
    var precision: Double { given == 0 ? 1 : Double(right) / Double(given) }

    /// The share of right attributions among the openings caused by a click; 1 if there are none.
    var recall: Double { caused == 0 ? 1 : Double(right) / Double(caused) }

    /// The share of false matches among all openings.
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
        /// Opened by the link itself, which counts as a click.
        case link(Int)
    }

    fileprivate var cause: Cause {
        if case .link(let link) = opening { return .link(link) }
        return truth.map { .click($0) } ?? .organic
    }
}
