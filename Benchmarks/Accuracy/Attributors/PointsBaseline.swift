import LindenKernel

/// Attributes to the best click within 15 minutes: address 500, user agent 300, time zone 200, screen 200, language 100; at least 800.
struct PointsBaseline: Attributor {
    let name = "e: points"

    private static let window = Duration.minutes(15)

    private let threshold: Double
    /// The recent clicks of each app, oldest first.
    private var recent: [Int: [SimulatedClick]] = [:]

    init(threshold: Double) {
        self.threshold = threshold
    }

    mutating func click(_ click: SimulatedClick) {
        guard !click.isRobot else { return }
        recent[click.app, default: []].append(click)
    }

    mutating func install(_ install: SimulatedInstall) -> Attribution? {
        let earliest = install.time - Self.window
        recent[install.app, default: []].removeAll { $0.time < earliest }
        var best: (click: SimulatedClick, score: Double)?
        for click in recent[install.app]! {
            let score = score(click, install)
            if score >= threshold, score >= best?.score ?? 0 { best = (click, score) }
        }
        guard let best else { return nil }
        recent[install.app]!.removeAll { $0.id == best.click.id }
        return Attribution(best.click, score: best.score)
    }

    private func score(_ click: SimulatedClick, _ install: SimulatedInstall) -> Double {
        (click.address.key == install.address.key ? 500 : 0)
            + (click.hasAgent(of: install) ? 300 : 0)
            + (click.hasTimeZone(of: install) ? 200 : 0)
            + (click.hasScreen(of: install) ? 200 : 0)
            + (click.hasLanguage(of: install) ? 100 : 0)
    }
}
