/// What the matchers have in common that know a click by an id: it is certain, unless it was too long ago.
extension Evidence.NamedClick {
    func answer(_ reason: String) -> MatcherAnswer {
        let signals = [Candidate.Signal("id", reason), Candidate.Signal("age", "\(age.inWords) ago, of at most \(window.inWords)")]
        guard !isTooOld else {
            let lost = "It was \(age.inWords) ago, and the window is \(window.inWords)."
            return .noMatch(
                "\(reason) But that was \(age.inWords) ago, and the window is \(window.inWords).",
                [Candidate(click: click, link: link, signals: signals, reason: lost)])
        }
        return .match(
            Match(link: link, click: click, isGuaranteed: true), reason,
            [Candidate(click: click, link: link, signals: signals, reason: "An id is certain.", hasWon: true)])
    }
}

extension Int64 {
    /// Seconds, as a person says them.
    var inWords: String {
        switch self {
        case ..<1: "less than a second"
        case 1: "1 second"
        case ..<120: "\(self) seconds"
        case ..<7200: "\(self / 60) minutes"
        case ..<172_800: "\(self / 3600) hours"
        default: "\(self / 86400) days"
        }
    }
}
