import Foundation

/// What an attributor made of a history: installs and later openings apart, and those apart that name their click or link.
struct Tally: Sendable, Equatable, Codable {
    /// Right and false matches of installs by score, in steps of ten.
    struct Band: Sendable, Equatable, Codable {
        var right = 0
        var falseMatches = 0
    }

    /// Installs that nothing names a click of.
    var installs = Confusion()
    /// The same of later openings.
    var openings = Confusion()
    /// Installs and later openings that carry an id or a link.
    var named = Confusion()
    /// By the lowest score.
    var bands: [Int: Band] = [:]

    init() {}

    /// Runs a history through an attributor.
    init(of history: History, by attributor: any Attributor) {
        var attributor = attributor
        // By the click's id, which counts them.
        var contents: [String] = []
        for event in history.events {
            switch event {
            case .click(let click):
                contents.append(click.content)
                attributor.click(click)
            case .install(let install):
                let given = install.isKnown ? attributor.opening(install) : attributor.install(install)
                if install.opening != .nothing {
                    named.count(install, given, contents)
                } else if install.isKnown {
                    openings.count(install, given, contents)
                } else {
                    installs.count(install, given, contents)
                    if let given { count(given, isRight: given.click.map(install.ownClicks.contains) ?? false) }
                }
            }
        }
    }

    private mutating func count(_ given: Attribution, isRight: Bool) {
        let band = Int((given.score / 10).rounded(.down)) * 10
        if isRight { bands[band, default: Band()].right += 1 } else { bands[band, default: Band()].falseMatches += 1 }
    }

    static func + (left: Tally, right: Tally) -> Tally {
        var sum = Tally()
        sum.installs = left.installs + right.installs
        sum.openings = left.openings + right.openings
        sum.named = left.named + right.named
        sum.bands = left.bands.merging(right.bands) {
            Band(right: $0.right + $1.right, falseMatches: $0.falseMatches + $1.falseMatches)
        }
        return sum
    }
}

/// The range in which a share lies with a probability of 95 % (Wilson, 1927).
struct Interval: Sendable, Codable {
    let low: Double
    let high: Double

    init(_ count: Int, of total: Int) {
        guard total > 0 else {
            (low, high) = (0, 1)
            return
        }
        let (n, z) = (Double(total), 1.96)
        let share = Double(count) / n
        let middle = share + z * z / (2 * n)
        let half = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
        low = max(0, (middle - half) / (1 + z * z / n))
        high = min(1, (middle + half) / (1 + z * z / n))
    }

    /// `0.05–0.12 %`.
    var percent: String { String(format: "%.2f–%.2f %%", low * 100, high * 100) }
}
