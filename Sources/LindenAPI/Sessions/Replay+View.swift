import Linden
import LindenKernel
import LindenReporting

extension ReplayChange {
    /// A session that a replay attributes differently.
    ///
    /// - `session_id`: the session's reference.
    /// - `started_at`: a time in ISO 8601, UTC.
    /// - `before`, `after`: the attributions, each with `outcome`, `matcher`, `link_id` and `click_id`; the last three may be null.
    /// - `reason`: a sentence that says why it is attributed as it is after the replay.
    package func view(_ publicIDs: PublicIDs) -> JSONObject {
        [
            "session_id": .string(publicIDs.reference(to: session)), "started_at": .string(session.time.iso8601),
            "before": .object(before.view(publicIDs)), "after": .object(after.view(publicIDs)), "reason": .string(reason),
        ]
    }
}

extension ReplayChange.Outcome {
    fileprivate func view(_ publicIDs: PublicIDs) -> JSONObject {
        [
            "outcome": .string(outcome.rawValue), "matcher": JSON(matcher), "link_id": JSON(link.map { String($0.rawValue) }),
            "click_id": JSON(click.map { publicIDs.string(for: $0) }),
        ]
    }
}

extension ReplayFigures {
    /// The totals of a replay.
    ///
    /// - `sessions`: the number of sessions in the time range.
    /// - `without_evidence`: those of them without evidence, which cannot be decided again.
    /// - `changed`: those that are decided differently.
    /// - `applied`: whether they were changed in storage.
    /// - `rule_version`: the version of the attribution rules.
    package func view(of replay: Replay) -> JSONObject {
        [
            "sessions": JSON(sessions), "without_evidence": JSON(withoutEvidence),
            "changed": JSON(changed), "applied": .bool(replay.isApplied), "rule_version": JSON(replay.rules.version),
        ]
    }
}
