import Foundation

/// The results of an attributor on a history: for installs, for later openings, and for openings that identify their click or link.
struct Tally: Sendable, Equatable, Codable {
    /// Right and false matches of installs by score, in steps of ten.
    struct Band: Sendable, Equatable, Codable {
        var right = 0
        var falseMatches = 0
    }

    /// Installs that do not identify their cause.
    var installs = Confusion()
    /// Later openings that do not identify their cause.
    var openings = Confusion()
    /// Installs and later openings that carry a click's id or a link.
    var named = Confusion()
    /// Bands by their lowest score.
    var bands: [Int: Band] = [:]

    init() {}

    /// Evaluates an attributor on a history.
    init(of history: History, by attributor: any Attributor) {
        var attributor = attributor
        // Indexed by click id, which is a count.
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

/// The 95 % confidence interval of a share (Wilson, 1927).
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
