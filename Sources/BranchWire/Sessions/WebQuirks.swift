import Linden

/// What only the Web SDK does. Its bodies are forms, in which every value is text, see ``Form``.
enum WebQuirks {
    /// `web2.84.0`
    static func isWeb(_ body: RequestFields) -> Bool {
        SDKVersion(body).family == .web
    }

    /// The browser's number. An open that reports a click puts the click's id in its place; from 2.54 on the number remembered from
    /// earlier visits stands beside it.
    static func browser(_ body: RequestFields) -> String? {
        let number = body.text("browser_fingerprint_id")
        let isClick = number != nil && number == body.text("link_identifier")
        return (isClick ? nil : number) ?? body.text("alternative_browser_fingerprint_id")
    }

    /// What its answers to an open hold beside those of the other SDKs. `has_app` and the rest are handed to the page as they are.
    static func members(_ session: StartedSession, _ ids: PublicIDs) -> JSONObject {
        var members: JSONObject = [
            "browser_fingerprint_id": .string(ids.string(for: session.device)), "has_app": .bool(session.hasApp),
        ]
        if let link = session.data["~referring_link"] { members["referring_link"] = link }
        if let click = session.click { members["session_link_click_id"] = .string(ids.string(for: click)) }
        if let name = session.referrer?.developerIdentity { members["referring_identity"] = .string(name) }
        return members
    }
}
