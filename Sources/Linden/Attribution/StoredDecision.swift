import LindenKernel

/// An attribution decision as it is stored with its session, and explained later.
package struct StoredDecision: Sendable, Equatable {
    /// The answer of a matcher.
    package struct Answer: Sendable, Equatable {
        package let matcher: String
        package let reason: String

        package init(matcher: String, reason: String) {
            self.matcher = matcher
            self.reason = reason
        }
    }

    /// The version of the rules; nil if there was nothing to decide, as for a change of identity.
    package let ruleVersion: Int?
    package let outcome: AttributionDecision.Outcome
    /// The matcher that matched.
    package let matcher: String?
    package let reason: String
    package let refusal: AttributionDecision.Refusal?
    /// The labels of the ad that the session is attributed to in place of a link.
    package let ad: JSONObject?
    package let candidates: [AttributionDecision.ComparedClick]
    package let answers: [Answer]

    package init(
        ruleVersion: Int? = nil, outcome: AttributionDecision.Outcome, matcher: String? = nil, reason: String,
        refusal: AttributionDecision.Refusal? = nil, ad: JSONObject? = nil, candidates: [AttributionDecision.ComparedClick] = [],
        answers: [Answer] = []
    ) {
        self.ruleVersion = ruleVersion
        self.outcome = outcome
        self.matcher = matcher
        self.reason = reason
        self.refusal = refusal
        self.ad = ad
        self.candidates = candidates
        self.answers = answers
    }

    /// - Parameter note: a sentence to add to the decision's reason.
    package init(_ decision: AttributionDecision, note: String? = nil) {
        self.init(
            ruleVersion: decision.ruleVersion, outcome: decision.outcome, matcher: decision.matcher,
            reason: [decision.reason, note].compactMap { $0 }.joined(separator: " "),
            refusal: decision.refusal, ad: decision.ad?.labels, candidates: decision.candidates,
            answers: decision.answers.map { Answer(matcher: $0.matcher, reason: $0.reason) })
    }
}

extension StoredDecision {
    /// Returns the decision without the signals of erased clicks that were compared by address and device. Of a winner the sum of
    /// the points stays: it says how certain the match is.
    package func withoutSignals(of isErased: (Click.ID) -> Bool) -> StoredDecision {
        let rest = candidates.map { compared in
            let click = compared.candidate
            guard compared.matcher == FingerprintMatch.name, isErased(click.click) else { return compared }
            let sum = click.hasWon ? click.score.map { Candidate.Signal("traits", "erased", $0) } : nil
            return AttributionDecision.ComparedClick(
                matcher: compared.matcher,
                candidate: Candidate(
                    click: click.click, link: click.link, signals: [sum].compactMap { $0 }, reason: "Its visitor was erased.",
                    hasWon: click.hasWon))
        }
        return StoredDecision(
            ruleVersion: ruleVersion, outcome: outcome, matcher: matcher, reason: reason, refusal: refusal, ad: ad,
            candidates: rest, answers: answers)
    }
}

/// The stored JSON. Absent values are left out; ids are internal ones.
extension StoredDecision {
    package var json: JSON {
        var members: JSONObject = ["outcome": .string(outcome.rawValue), "reason": .string(reason)]
        if let ruleVersion { members["rule_version"] = JSON(ruleVersion) }
        if let matcher { members["matcher"] = .string(matcher) }
        if let refusal { members["refusal"] = .string(refusal.rawValue) }
        if let ad { members["ad"] = .object(ad) }
        if !candidates.isEmpty { members["candidates"] = .array(candidates.map(\.json)) }
        if !answers.isEmpty { members["answers"] = .array(answers.map(\.json)) }
        return .object(members)
    }

    /// Throws ``MemberError`` for an unknown outcome or refusal, and for any other JSON that ``json`` does not write.
    package init(json: JSON) throws {
        guard let members = json.object else { throw MemberError(name: "explanation") }
        self.init(
            ruleVersion: try members.optional("rule_version") { $0.int64.map { Int($0) } },
            outcome: try members.required("outcome") { $0.string.flatMap { AttributionDecision.Outcome(rawValue: $0) } },
            matcher: try members.optional("matcher") { $0.string },
            reason: try members.required("reason") { $0.string },
            refusal: try members.optional("refusal") { $0.string.flatMap { AttributionDecision.Refusal(rawValue: $0) } },
            ad: try members.optional("ad") { $0.object },
            candidates: try members.optional("candidates") { try $0.array?.map(AttributionDecision.ComparedClick.init(json:)) }
                ?? [],
            answers: try members.optional("answers") { try $0.array?.map(Answer.init(json:)) } ?? [])
    }
}

extension StoredDecision.Answer {
    fileprivate var json: JSON { ["matcher": .string(matcher), "reason": .string(reason)] }

    fileprivate init(json: JSON) throws {
        guard let members = json.object else { throw MemberError(name: "answers") }
        self.init(matcher: try members.required("matcher") { $0.string }, reason: try members.required("reason") { $0.string })
    }
}

extension AttributionDecision.ComparedClick {
    fileprivate var json: JSON {
        var members: JSONObject = [
            "click": .integer(candidate.click.rawValue), "link": .integer(candidate.link.rawValue), "matcher": .string(matcher),
            "reason": .string(candidate.reason), "signals": .array(candidate.signals.map(\.json)),
        ]
        if candidate.hasWon { members["won"] = true }
        return .object(members)
    }

    fileprivate init(json: JSON) throws {
        guard let members = json.object else { throw MemberError(name: "candidates") }
        self.init(
            matcher: try members.required("matcher") { $0.string },
            candidate: Candidate(
                click: Click.ID(rawValue: try members.required("click") { $0.int64 }),
                link: Link.ID(rawValue: try members.required("link") { $0.int64 }),
                signals: try members.required("signals") { try $0.array?.map(Candidate.Signal.init(json:)) },
                reason: try members.required("reason") { $0.string }, hasWon: try members.optional("won") { $0.bool } ?? false))
    }
}

extension Candidate.Signal {
    fileprivate var json: JSON {
        var members: JSONObject = ["name": .string(name), "seen": .string(seen)]
        if let points { members["points"] = JSON(points) }
        return .object(members)
    }

    fileprivate init(json: JSON) throws {
        guard let members = json.object else { throw MemberError(name: "signals") }
        self.init(
            try members.required("name") { $0.string }, try members.required("seen") { $0.string },
            try members.optional("points") { $0.int64.map { Int($0) } })
    }
}
