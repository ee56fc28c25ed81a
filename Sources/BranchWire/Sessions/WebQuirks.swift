import Linden
import LindenKernel

/// Parsing that is specific to the Web SDK. Its bodies are forms with string values only, see ``Form``.
enum WebQuirks {
    /// Whether `sdk` names the Web SDK, as in `web2.84.0`.
    static func isWeb(_ body: RequestFields) -> Bool {
        SDKVersion(body).family == .web
    }

    /// Returns the browser's id. An open that reports a click sends the click's id in its place; from 2.54 on the browser's id from earlier
    /// visits is sent in a second field.
    static func browser(_ body: RequestFields) -> String? {
        let number = body.text("browser_fingerprint_id")
        let isClick = number != nil && number == body.text("link_identifier")
        return (isClick ? nil : number) ?? body.text("alternative_browser_fingerprint_id")
    }

    /// Returns the members that only the Web SDK's responses to an open have. `has_app` and the rest are passed to the page unchanged.
    ///
    /// - Parameter isStrict: whether the name of the user who shared the link is kept secret, since links are public.
    static func members(_ session: StartedSession, _ ids: PublicIDs, isStrict: Bool) -> JSONObject {
        var members: JSONObject = [
            "browser_fingerprint_id": .string(ids.string(for: session.device)), "has_app": .bool(session.hasApp),
        ]
        if let link = session.data["~referring_link"] { members["referring_link"] = link }
        if let click = session.click { members["session_link_click_id"] = .string(ids.string(for: click)) }
        if !isStrict, let name = session.referrer?.developerIdentity { members["referring_identity"] = .string(name) }
        return members
    }
}
