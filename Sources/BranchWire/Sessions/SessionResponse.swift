import Linden
import LindenKernel

/// The response to `/v1/install` and `/v1/open`.
///
/// Both tokens appear under both names, as strings of digits: iOS SDKs before 1.40 and others of their time know only the old names, later
/// SDKs only the new ones. `data` is JSON text, not an object. No member is null, because SDKs store null as if it were a string.
package struct SessionResponse: Sendable {
    package let session: StartedSession
    package let ids: PublicIDs
    /// The base of links that the SDK creates offline, see ``PersonalLink``.
    package let link: String
    private let isWeb: Bool
    private let isStrict: Bool
    /// Whether the response includes the developer identity. False if the SDK sends it with every open and sent none, which is a logout.
    private let isNamed: Bool
    /// The developer identity as it was sent, even if it is too long: SDKs drop one that the response does not repeat.
    private let sentName: String?

    package init(_ session: StartedSession, to request: OpenRequest, app: AppContext, baseURL: BaseURL, _ ids: PublicIDs) {
        let (body, sdk) = (request.body, request.sdk)
        self.session = session
        isWeb = sdk.family == .web
        isStrict = app.app.configuration.isStrict
        sentName = body.text("identity")
        isNamed = sentName != nil || !sdk.namesUserInEveryOpen
        self.ids = ids
        link = PersonalLink.url(
            of: session.mayShare ? session.identity.id : nil, app: app, baseURL: baseURL, parameter: body.identityParameter, ids)
    }

    package var json: JSON {
        let device = JSON.string(ids.string(for: session.device))
        let identity = JSON.string(ids.string(for: session.identity.id))
        var members: JSONObject = [
            "session_id": .string(ids.string(for: session.id)),
            "identity_id": identity,
            "randomized_bundle_token": identity,
            "device_fingerprint_id": device,
            "randomized_device_token": device,
            "link": .string(link),
            "data": SessionData.text(session.data),
        ]
        if let name = session.identity.developerIdentity ?? sentName, isNamed { members["identity"] = .string(name) }
        if let click = session.click { members["link_click_id"] = .string(ids.string(for: click)) }
        return .object(isWeb ? members.merging(WebQuirks.members(session, ids, isStrict: isStrict)) : members)
    }
}
