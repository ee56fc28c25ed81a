import LindenKernel
import LinkRouting

/// Matches a recent click from the same address, on a device with similar traits: probabilistic, never deterministic.
///
/// Among clicks that lead to the same data, the newest wins. Among clicks that lead to different data, the best must be ahead of all others
/// that are not excluded by ``AttributionRules/tieMargin``; otherwise the match is ambiguous and refused, because a wrong link is worse
/// than none.
package struct FingerprintMatch: Matcher {
    package static let name = "fingerprint"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        guard evidence.isFingerprintAllowed else {
            return .noMatch("The app does not use matching by address and device (attribution.fingerprint is off).")
        }
        guard evidence.isAddressKept else {
            return .noMatch("Addresses are not stored (privacy.addresses is none), so no click can be compared with the open.")
        }
        guard let fingerprintSignals = evidence.fingerprintSignals else {
            return .noMatch("The open has too few data of the device to compare it with clicks.")
        }
        guard !fingerprintSignals.clicks.isEmpty else { return .noMatch("There is no pending click from the same address and OS.") }
        // Newest first, whatever the order of the evidence.
        var compared = fingerprintSignals.clicks.sorted { $0.click > $1.click }.map {
            FingerprintScore($0, fingerprintSignals, rules)
        }
        let qualified = compared.indices.filter { compared[$0].reachesThreshold }
        guard let first = qualified.first else {
            let reason =
                compared.count == 1
                ? compared[0].candidate.reason : "None of \(compared.count) clicks from the same address is this device's."
            let refusals = Set(compared.compactMap(\.refusal))
            let refusal = [AttributionDecision.Refusal.unlikely, .tooLate].first(where: refusals.contains) ?? .otherDevice
            return .noMatch(reason, compared.map(\.candidate), refusal)
        }
        guard !fingerprintSignals.isCut else {
            for index in qualified {
                compared[index].candidate.reason = "It fits, but there were more clicks than could be looked at."
            }
            return .noMatch(
                "ambiguous: there were more than \(Int64(compared.count).counting("click")) from the same address.",
                compared.map(\.candidate), .ambiguous)
        }
        let best = qualified.map { compared[$0].candidate.points }.max() ?? 0
        let rivals = compared.indices.filter {
            compared[$0].isNotExcluded && compared[$0].click.content != compared[first].click.content
                && (compared[$0].reachesThreshold || compared[$0].candidate.points > best - rules.tieMargin)
        }
        guard rivals.isEmpty else {
            let tied = Set(qualified + rivals)
            for index in tied {
                compared[index].candidate.reason = "It fits about as well as another click that leads to different data."
            }
            return .noMatch(
                "ambiguous: \(tied.count) clicks fit about equally well and lead to different data.",
                compared.map(\.candidate), .ambiguous)
        }
        for index in qualified.dropFirst() { compared[index].candidate.reason = "A newer click leads to the same data." }
        compared[first].candidate.hasWon = true
        let winner = compared[first].click
        return .match(
            Match(link: winner.link, click: winner.click, isGuaranteed: false),
            "The click came from the same address, on a device like this one, \(winner.age.inWords) before.",
            compared.map(\.candidate))
    }
}

/// The score of a click compared with an app launch, signal by signal.
struct FingerprintScore {
    let click: Evidence.SimilarClick
    var candidate: Candidate
    /// Why the click is refused; nil for a click that reaches the threshold.
    let refusal: AttributionDecision.Refusal?
    /// Whether no signal excludes the click.
    let isNotExcluded: Bool
    var reachesThreshold: Bool { refusal == nil }

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
        isNotExcluded = exclusion == nil
        let reachesThreshold = isNotExcluded && points >= rules.threshold
        refusal = reachesThreshold ? nil : exclusion?.refusal ?? .unlikely
        candidate.reason =
            exclusion?.reason
            ?? (reachesThreshold
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
                rules.similarDensities.points(for: alike, beyond: rules.highSimilarDensity)
                + rules.densities.points(for: density.size, beyond: rules.highDensity)
            signals.append(.init("density", "\(all), \(alike) of them like this one", points))
        } else {
            signals.append(
                .init("density", all, rules.uncomparedDensities.points(for: density.size, beyond: rules.highUncomparedDensity)))
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
