extension AttributionDecision {
    /// The decision as it is stored with the session and shown, with click ids in their public form.
    package func explanation(_ ids: PublicIDs) -> JSON {
        [
            "rule_version": JSON(ruleVersion),
            "outcome": .string(outcome.rawValue),
            "matcher": JSON(matcher),
            "reason": .string(reason),
            "refusal": JSON(refusal?.rawValue),
            "ad": ad.map { .object($0.labels) } ?? .null,
            "candidates": .array(candidates.map { $0.candidate.json(ids, matcher: $0.matcher) }),
            "answers": .array(answers.map { ["matcher": .string($0.matcher), "reason": .string($0.reason)] }),
        ]
    }
}

extension Candidate {
    fileprivate func json(_ ids: PublicIDs, matcher: String) -> JSON {
        [
            "click_id": .string(ids.string(for: click)),
            "clicked_at": .string(click.time.iso8601),
            "link_id": .string(String(link.rawValue)),
            "matcher": .string(matcher),
            "won": .bool(hasWon),
            "points": signals.contains { $0.points != nil } ? JSON(points) : .null,
            "reason": .string(reason),
            "signals": .array(
                signals.map { ["name": .string($0.name), "seen": .string($0.seen), "points": $0.points.map { JSON($0) } ?? .null] }),
        ]
    }
}
