import Linden
import LindenKernel
import LindenReporting

extension SessionSummary {
    /// A session.
    ///
    /// - `session_id`: the session's reference.
    /// - `kind`: `install`, `open`, `web`, `user_change`, `reinstall` or `full_app_conversion`.
    /// - `started_at`: a time in ISO 8601, UTC.
    /// - `app_id`, `mode`: the app and its mode, `live` or `test`.
    /// - `outcome`: `matched`, `refused` (clicks were compared, and none matched) or `organic`.
    /// - `matcher`: the matcher that matched; null if none did.
    /// - `link_id`: the link that the session is attributed to; null for none, and for a long link.
    /// - `click_id`: the public id of the click that led to the session; null if there is none.
    package func view(_ publicIDs: PublicIDs) -> JSONObject {
        [
            "session_id": .string(publicIDs.reference(to: id)), "kind": .string(kind.name),
            "started_at": .string(id.time.iso8601), "app_id": .string(String(scope.app.rawValue)),
            "mode": .string(scope.mode.name), "outcome": .string(outcome.rawValue),
            "matcher": JSON(matcher),
            "link_id": JSON(link.flatMap { $0 == .long ? nil : String($0.rawValue) }),
            "click_id": JSON(click.map { publicIDs.string(for: $0) }),
        ]
    }

    /// A session in the list of one app and mode: ``view(_:)`` without `app_id` and `mode`.
    package func listView(_ publicIDs: PublicIDs) -> JSONObject {
        view(publicIDs).filter { key, _ in key != "app_id" && key != "mode" }
    }
}

extension Session {
    /// A session with, as `data`, the parameters that its app received.
    package func detailedView(_ publicIDs: PublicIDs) -> JSONObject {
        summary.view(publicIDs).merging(["data": .object(data)])
    }
}
