import LindenKernel

/// Attributes to the best of the newest 50 clicks within 48 hours, without comparing addresses: time zone .35, screen .25, language .20,
/// model .15, user agent .05; at least .5.
struct NoAddressBaseline: Attributor {
    let name = "d: no address"

    private static let window = Duration.hours(48)
    private static let most = 50

    private let threshold: Double
    /// The newest clicks of each app, oldest first.
    private var newest: [Int: [SimulatedClick]] = [:]

    init(threshold: Double) {
        self.threshold = threshold
    }

    mutating func click(_ click: SimulatedClick) {
        guard !click.isRobot else { return }
        newest[click.app, default: []].append(click)
        // Keeps more than are compared, since matched clicks are removed.
        if newest[click.app]!.count > 2 * Self.most { newest[click.app]!.removeFirst() }
    }

    mutating func install(_ install: SimulatedInstall) -> Attribution? {
        let candidates = newest[install.app, default: []].suffix(Self.most).filter { $0.time + Self.window >= install.time }
        let scored = candidates.map { ($0, score($0, install)) }
        // Of equal scores, the newest click wins.
        guard let best = scored.max(by: { $0.1 < $1.1 || $0.1 == $1.1 && $0.0.id < $1.0.id }), best.1 >= threshold else {
            return nil
        }
        newest[install.app]!.removeAll { $0.id == best.0.id }
        return Attribution(best.0, score: best.1)
    }

    private func score(_ click: SimulatedClick, _ install: SimulatedInstall) -> Double {
        // Integer hundredths keep the sums exact.
        let hundredths =
            (click.hasTimeZone(of: install) ? 35 : 0) + (click.hasScreen(of: install) ? 25 : 0)
            + (click.hasLanguage(of: install) ? 20 : 0) + (click.hasModel(of: install) ? 15 : 0)
            + (click.hasAgent(of: install) ? 5 : 0)
        return Double(hundredths) / 100
    }
}
