import LinkRouting

/// A click held against an opening, sign by sign.
struct Comparison {
    let click: Evidence.SimilarClick
    var candidate: Candidate
    /// Whether nothing rules it out.
    let isPossible: Bool
    let isGood: Bool

    init(_ click: Evidence.SimilarClick, _ likeness: Evidence.Likeness, _ rules: AttributionRules) {
        self.click = click
        let mine = likeness.traits
        let crowd = likeness.crowd
        let isOwnNetwork = likeness.isIPv6 && crowd.size <= Int64(rules.household)
        var signals = [
            Candidate.Signal(
                "address", likeness.isIPv6 ? "the same IPv6 network" : "the same",
                rules.address + (isOwnNetwork ? rules.ownNetwork : 0))
        ]
        var exclusion: String?

        switch OSVersionLikeness(mine.osVersion, click.traits.osVersion) {
        case .unknown: signals.append(.init("os_version", "\(mine.osVersion ?? "?") and \(click.traits.osVersion ?? "?")", 0))
        case .same: signals.append(.init("os_version", "both \(mine.osVersion ?? "")", rules.osVersion))
        case .sameButPatch:
            signals.append(
                .init("os_version", "\(mine.osVersion ?? "") and \(click.traits.osVersion ?? "")", rules.osVersionButPatch))
        case .different:
            signals.append(.init("os_version", "\(mine.osVersion ?? "") and \(click.traits.osVersion ?? "")"))
            exclusion = "It was made on another version of the system."
        }
        if let own = mine.model, let theirs = click.traits.model {
            let isSame = own.lowercased() == theirs.lowercased()
            signals.append(.init("model", isSame ? "both \(own)" : "\(own) and \(theirs)", isSame ? rules.model : nil))
            if !isSame { exclusion = exclusion ?? "It was made on another model." }
        }
        if let own = mine.screen, let theirs = click.traits.screen {
            let isSame = own.looksLike(theirs, on: mine.os)
            let points = mine.model == nil || click.traits.model == nil ? rules.screen : 0
            signals.append(.init("screen", isSame ? "both \(own.text)" : "\(own.text) and \(theirs.text)", isSame ? points : nil))
            if !isSame { exclusion = exclusion ?? "It was made on another screen." }
        }
        if let own = mine.language, let theirs = click.traits.language {
            let isSame = own.lowercased() == theirs.lowercased()
            signals.append(
                .init("language", isSame ? "both \(own)" : "\(own) and \(theirs)", isSame ? rules.language : rules.otherLanguage))
        }
        let usual = Int64(rules.usualWindow)
        let age = click.age * usual / max(usual, click.window)
        signals.append(.init("age", click.age.inWords, rules.ages.points(for: age, beyond: rules.longAgo)))
        signals.append(
            .init(
                "crowd", "\(crowd.devices.counting("other device")) and \(crowd.clicks.counting("other click")) at the address",
                rules.crowds.points(for: crowd.size, beyond: rules.largeCrowd)))
        if let shared = crowd.isShared { signals.append(.init("shared_address", shared, rules.sharedAddress)) }

        if click.age >= click.window {
            exclusion = "It was \(click.age.inWords) before, and the link's window is \(click.window.inWords)."
        }
        if click.isClaimed { exclusion = "It was given to another installation." }
        if !click.isAlive { exclusion = "Its link is gone, or was for one use." }

        candidate = Candidate(click: click.click, link: click.link, signals: signals, reason: "")
        let points = candidate.points
        isPossible = exclusion == nil
        isGood = isPossible && points >= rules.threshold
        candidate.reason =
            exclusion
            ?? (isGood
                ? "It fits, with \(points) points of \(rules.threshold)."
                : "It has \(points) points, and \(rules.threshold) are needed.")
    }
}

/// How two versions of a system compare. A browser may leave out the last part, which an SDK tells.
private enum OSVersionLikeness {
    case unknown, same, sameButPatch, different

    init(_ one: String?, _ other: String?) {
        guard let one, let other else {
            self = .unknown
            return
        }
        if one == other {
            self = .same
        } else if Self.withoutPatch(one) == other || Self.withoutPatch(other) == one {
            self = .sameButPatch
        } else {
            self = .different
        }
    }

    /// `26.2` of `26.2.1`; nil where there is no third part.
    private static func withoutPatch(_ version: String) -> String? {
        let parts = version.split(separator: ".")
        return parts.count == 3 ? OSVersion.normalized(parts.prefix(2).joined(separator: ".")) : nil
    }
}
