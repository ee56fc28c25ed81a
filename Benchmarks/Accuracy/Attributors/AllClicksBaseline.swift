import LindenKernel

/// Attributes to the best of the newest 1000 clicks of the whole server, of all apps, within seven days: 40 points for the same /24, 30 for
/// platform and browser, 10 each for time zone, language and screen; at least 70. Clicks are never consumed, so one click may have many
/// installs.
struct AllClicksBaseline: Attributor {
    let name = "b: all clicks"

    private static let window = Duration.hours(24 * 7)
    private static let most = 1000

    private let threshold: Double
    /// A ring buffer of the newest clicks.
    private var newest: [SimulatedClick] = []
    private var next = 0

    init(threshold: Double) {
        self.threshold = threshold
    }

    mutating func click(_ click: SimulatedClick) {
        guard !click.isRobot else { return }
        if newest.count < Self.most { newest.append(click) } else { newest[next] = click }
        next = (next + 1) % Self.most
    }

    func install(_ install: SimulatedInstall) -> Attribution? {
        let earliest = install.time - Self.window
        var best: (click: SimulatedClick, score: Double)?
        for click in newest where click.time >= earliest {
            let score = score(click, install)
            guard score >= threshold else { continue }
            if best.map({ (score, click.id) > ($0.score, $0.click.id) }) ?? true { best = (click, score) }
        }
        return best.map { Attribution($0.click, score: $0.score) }
    }

    private func score(_ click: SimulatedClick, _ install: SimulatedInstall) -> Double {
        // A web view names only its engine, so browsers are compared by platform.
        (click.address.block == install.address.block ? 40 : 0)
            + (click.browser.os == install.os ? 30 : 0)
            + (click.hasTimeZone(of: install) ? 10 : 0)
            + (click.hasLanguage(of: install) ? 10 : 0)
            + (click.hasScreen(of: install) ? 10 : 0)
    }
}
