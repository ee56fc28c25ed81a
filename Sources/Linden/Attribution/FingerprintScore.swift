import LinkRouting

/// The score of a click compared with an app launch, signal by signal.
struct FingerprintScore {
    let click: Evidence.SimilarClick
    var candidate: Candidate
    /// Why the click is refused; nil for a click that reaches the threshold.
    let refusal: AttributionDecision.Refusal?
    /// Whether no signal excludes the click.
    let isPossible: Bool
    var isGood: Bool { refusal == nil }

    /// The reason that excludes a click.
    struct Exclusion {
        let reason: String
        var refusal = AttributionDecision.Refusal.otherDevice
    }

    init(_ click: Evidence.SimilarClick, _ fingerprintSignals: Evidence.FingerprintSignals, _ rules: AttributionRules) {
        self.click = click
        let traits = TraitComparison(click.traits, fingerprintSignals, rules)
        let signals =
            [Self.address(fingerprintSignals, rules)] + traits.signals + [Self.age(click, fingerprintSignals, rules)]
            + Self.density(fingerprintSignals.density, rules)
            + (fingerprintSignals.isKnownDevice && rules.knownDevice != 0
                ? [.init("known_device", "had the app before", rules.knownDevice)] : [])
        let exclusion = Self.exclusion(click, fingerprintSignals, rules) ?? traits.exclusion.map { Exclusion(reason: $0) }
        candidate = Candidate(click: click.click, link: click.link, signals: signals, reason: "")
        let points = candidate.points
        isPossible = exclusion == nil
        let isGood = isPossible && points >= rules.threshold
        refusal = isGood ? nil : exclusion?.refusal ?? .unlikely
        candidate.reason =
            exclusion?.reason
            ?? (isGood
                ? "It fits, with \(points) points of \(rules.threshold)."
                : "It has \(points) points, and \(rules.threshold) are needed.")
    }

    private static func address(_ fingerprintSignals: Evidence.FingerprintSignals, _ rules: AttributionRules) -> Candidate.Signal {
        let isOwn = fingerprintSignals.isIPv6 && fingerprintSignals.density.size <= Int64(rules.household)
        return .init(
            "address", fingerprintSignals.isIPv6 ? "the same IPv6 network" : "the same",
            rules.address + (isOwn ? rules.ownNetwork : 0))
    }

    /// Scores the time from the click to the install if known, else to the launch.
    private static func age(
        _ click: Evidence.SimilarClick, _ fingerprintSignals: Evidence.FingerprintSignals, _ rules: AttributionRules
    ) -> Candidate.Signal {
        let usual = Int64(rules.usualWindow)
        let age = max(0, click.age - (fingerprintSignals.installedAgo ?? 0))
        let seen = fingerprintSignals.installedAgo == nil ? click.age.inWords : "\(age.inWords) until the installation"
        return .init("age", seen, rules.ages.points(for: age * usual / max(usual, click.window), beyond: rules.longAgo))
    }

    private static func density(_ density: Evidence.AddressDensity, _ rules: AttributionRules) -> [Candidate.Signal] {
        let all = "\(density.devices.counting("other device")) and \(density.clicks.counting("other click")) at the address"
        var signals: [Candidate.Signal] = []
        if let alike = density.alike {
            let points =
                rules.alikeCrowds.points(for: alike, beyond: rules.largeAlikeCrowd)
                + rules.densities.points(for: density.size, beyond: rules.highDensity)
            signals.append(.init("density", "\(all), \(alike) of them like this one", points))
        } else {
            signals.append(.init("density", all, rules.crowds.points(for: density.size, beyond: rules.largeCrowd)))
        }
        if let shared = density.isShared { signals.append(.init("shared_address", shared, rules.sharedAddress)) }
        return signals
    }

    private static func exclusion(
        _ click: Evidence.SimilarClick, _ fingerprintSignals: Evidence.FingerprintSignals, _ rules: AttributionRules
    ) -> Exclusion? {
        if !click.isAlive { return Exclusion(reason: "Its link is gone, or was for one use.") }
        if click.isClaimed { return Exclusion(reason: "It was given to another installation.") }
        if click.age >= click.window {
            return Exclusion(
                reason: "It was \(click.age.inWords) before, and the link's window is \(click.window.inWords).", refusal: .tooLate)
        }
        if let installedAgo = fingerprintSignals.installedAgo, click.age + Int64(rules.installTolerance) < installedAgo {
            return Exclusion(
                reason: "It was made after the app was installed, \(installedAgo.inWords) before the opening.")
        }
        if fingerprintSignals.isKnownDevice, click.age >= Int64(rules.openingWindow) {
            let window = Int64(rules.openingWindow).inWords
            return Exclusion(
                reason: "It was \(click.age.inWords) before, and a device that had the app before must be opened within \(window).",
                refusal: .tooLate)
        }
        return nil
    }
}
