import Linden
import LindenKernel
import LindenReporting

extension SessionExplanation {
    /// A session and why it was attributed to its link, or to none.
    ///
    /// - the members of ``Session/view(_:)``.
    /// - `link`: the URL of the link that gave the session its data; absent if there is none.
    /// - `attributed`: whether the session is credited to a link or an ad.
    /// - `match_guaranteed`: whether the match is deterministic; null without a match.
    /// - `reason`: a sentence that says why.
    /// - `candidates`: the compared clicks: `click_id`, `clicked_at` (ISO 8601, UTC), `link_id`, `matcher`, `won`, `points` (null if not
    ///   scored), `reason`, `signals` (each with `name`, `seen` and `points`), and `link` if the link is still stored.
    /// - `rule_version`: the version of the attribution rules. It and the next three are absent if no rules were applied.
    /// - `refusal`: the kind of refusal; null for other outcomes.
    /// - `ad`: the labels of the search ad; null if there is none.
    /// - `answers`: each matcher that was tried, as `matcher` and `reason`, in order.
    /// - `estimated_wrong_per_thousand`: of a thousand probabilistic matches with this score, the estimated number that are wrong; absent
    ///   for other sessions.
    package func view(_ publicIDs: PublicIDs, _ baseURL: BaseURL) -> JSONObject {
        var members = session.summary.view(publicIDs)
        let explanation = session.explanation
        if let link { members["link"] = .string(baseURL.url(of: link)) }
        members["attributed"] = .bool(session.isAttributed)
        members["match_guaranteed"] = session.data["+match_guaranteed"] ?? .null
        members["reason"] = .string(explanation.reason)
        members["candidates"] = .array(explanation.candidates.map { .object(view(of: $0, publicIDs, baseURL)) })
        if let version = explanation.ruleVersion {
            members["rule_version"] = JSON(version)
            members["refusal"] = JSON(explanation.refusal?.rawValue)
            members["ad"] = explanation.ad.map(JSON.object) ?? .null
            members["answers"] = .array(
                explanation.answers.map { ["matcher": .string($0.matcher), "reason": .string($0.reason)] })
        }
        if let wrong = session.estimatedWrongPerThousand { members["estimated_wrong_per_thousand"] = JSON(wrong) }
        return members
    }

    private func view(
        of compared: AttributionDecision.ComparedClick, _ publicIDs: PublicIDs, _ baseURL: BaseURL
    ) -> JSONObject {
        let candidate = compared.candidate
        var members: JSONObject = [
            "click_id": .string(publicIDs.string(for: candidate.click)), "clicked_at": .string(candidate.click.time.iso8601),
            "link_id": .string(String(candidate.link.rawValue)), "matcher": .string(compared.matcher),
            "won": .bool(candidate.hasWon),
            "points": candidate.score.map { JSON($0) } ?? .null, "reason": .string(candidate.reason),
            "signals": .array(candidate.signals.map { .object($0.view) }),
        ]
        if let link = comparedLinks[candidate.link] { members["link"] = .string(baseURL.url(of: link)) }
        return members
    }
}

extension Candidate.Signal {
    fileprivate var view: JSONObject {
        ["name": .string(name), "seen": .string(seen), "points": points.map { JSON($0) } ?? .null]
    }
}
