import LindenKernel

/// Decides which link an app launch is attributed to. Pure: the same evidence and rules always give the same decision.
package enum AttributionPolicy {
    /// The matchers in the order in which they are asked; the first match wins. Those that identify the click or link by an id follow
    /// below; the other two have files of their own.
    private static let matchers: [any Matcher] = [
        LinkClickMatch(), LinkURLMatch(), BrowserMatch(), DeviceIDMatch(), SearchAdMatch(), FingerprintMatch(),
    ]

    /// The names of all matchers.
    package static var matcherNames: [String] { matchers.map { type(of: $0).name } }

    package static func decide(_ evidence: Evidence, _ rules: AttributionRules = .standard) -> AttributionDecision {
        let rules = rules.fitting(evidence)
        var decision = AttributionDecision(ruleVersion: rules.version)
        for matcher in matchers {
            let name = type(of: matcher).name
            let answer = matcher.answer(evidence, rules)
            decision.candidates += answer.candidates.map { .init(matcher: name, candidate: $0) }
            decision.answers.append(.init(matcher: name, reason: answer.reason, refusal: answer.refusal))
            switch answer.verdict {
            case .match(let match):
                decision.match = match
                return decision
            case .ad(let ad):
                decision.ad = ad
                return decision
            case .stop: return decision
            case .noMatch: continue
            }
        }
        return decision
    }
}

/// Matches the click id that the launch carries: the app was opened by its URI scheme, or Google Play passed the id on as install referrer.
package struct LinkClickMatch: Matcher {
    package static let name = "link_click"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        switch evidence.linkClick {
        case .none: .noMatch("The open has no click id.")
        case .unknown: .noMatch("The open has a click id that is not a click of this app.")
        case .usedUp: .stop("The open has the id of a click on a one-time link that is already consumed.")
        case .found(let click): click.answer("The open has the id of this click.")
        }
    }
}

/// Matches the link that the launch carries: a Universal Link, an App Link or a push notification. The launch itself is the click.
package struct LinkURLMatch: Matcher {
    package static let name = "link_url"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        switch evidence.linkURL {
        case .none: .noMatch("The open has no URL.")
        case .foreign: .stop("The app was opened by a URL that is not a link of this app.")
        case .ended: .stop("The link that opened the app is consumed or expired.")
        case .found(let link): .match(Match(link: link, click: nil, isGuaranteed: true), "The app was opened by this link.")
        }
    }
}

/// Matches the last click of the browser on the same device: the app opened a page in it, and its cookie named the click (iOS 9 and 10,
/// older Android SDKs).
package struct BrowserMatch: Matcher {
    package static let name = "browser"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        evidence.browserClick?.answer("The browser on this device made this click.")
            ?? .noMatch("The browser on this device reported no click within the link's window.")
    }
}

/// Matches the newest click whose URL named the device's advertising id, as links of advertising networks do (`$idfa`, `$aaid`).
package struct DeviceIDMatch: Matcher {
    package static let name = "device_id"

    package func answer(_ evidence: Evidence, _ rules: AttributionRules) -> MatcherAnswer {
        evidence.deviceClick?.answer("The click named this device's advertising id.")
            ?? .noMatch("No click named this device's advertising id.")
    }
}

/// The answer shared by the matchers that identify a click by an id: a deterministic match, unless the window is over.
extension Evidence.DeterministicClick {
    func answer(_ reason: String) -> MatcherAnswer {
        let signals = [Candidate.Signal("id", reason), Candidate.Signal("age", "\(age.inWords) ago, of at most \(window.inWords)")]
        guard age < window else {
            let lost = "It was \(age.inWords) ago, and the window is \(window.inWords)."
            return .noMatch(
                "\(reason) But that was \(age.inWords) ago, and the window is \(window.inWords).",
                [Candidate(click: click, link: link, signals: signals, reason: lost)], .tooLate)
        }
        return .match(
            Match(link: link, click: click, isGuaranteed: true), reason,
            [Candidate(click: click, link: link, signals: signals, reason: "An id is certain.", hasWon: true)])
    }
}
