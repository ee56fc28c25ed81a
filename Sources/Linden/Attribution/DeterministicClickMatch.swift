/// The answer shared by the matchers that identify a click by an id: a deterministic match, unless the window is over.
extension Evidence.DeterministicClick {
    func answer(_ reason: String) -> MatcherAnswer {
        let signals = [Candidate.Signal("id", reason), Candidate.Signal("age", "\(age.inWords) ago, of at most \(window.inWords)")]
        guard !isTooOld else {
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

extension Int64 {
    /// Formats seconds in the two largest units: `2 hours 41 minutes`.
    package var inWords: String {
        guard self > 0 else { return "less than a second" }
        let units: [(name: String, seconds: Int64)] = [("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1)]
        var rest = self
        let parts = units.map { unit -> Int64 in
            defer { rest %= unit.seconds }
            return rest / unit.seconds
        }
        let first = parts.firstIndex { $0 > 0 } ?? parts.endIndex - 1
        let said = parts.indices[first...].prefix(2).filter { parts[$0] > 0 }
        return said.map { parts[$0].counting(units[$0].name) }.joined(separator: " ")
    }

    /// `1 click`, `2 clicks`.
    package func counting(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }
}
