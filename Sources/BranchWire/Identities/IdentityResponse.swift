import Linden
import LindenKernel

/// The response to `/v1/profile` and `/v1/logout`. SDKs replace their stored values by it, so the tokens, the link and the data are always
/// present: without the token or the link, the next start would count as an install.
package struct IdentityResponse: Sendable {
    private let user: IdentifiedUser
    private let link: String
    private let isWeb: Bool
    private let isStrict: Bool
    private let ids: PublicIDs

    package init(_ user: IdentifiedUser, to body: RequestFields, app: AppContext, baseURL: BaseURL, _ ids: PublicIDs) {
        self.user = user
        self.ids = ids
        isWeb = WebQuirks.isWeb(body)
        isStrict = app.app.configuration.isStrict
        // With security=strict, anyone who tries names could otherwise find out whose a shared link is.
        link = PersonalLink.url(
            of: user.isFirstDevice || !isStrict ? user.identity.id : nil, app: app, baseURL: baseURL,
            parameter: body.identityParameter, ids)
    }

    package var json: JSON {
        let identity = JSON.string(ids.string(for: user.identity.id))
        let device = JSON.string(ids.string(for: user.device))
        var members: JSONObject = [
            "session_id": .string(ids.string(for: user.session)),
            "identity_id": identity,
            "randomized_bundle_token": identity,
            "device_fingerprint_id": device,
            "randomized_device_token": device,
            "link": .string(link),
            "data": SessionData.text(user.data),
        ]
        if let name = user.identity.developerIdentity { members["identity"] = .string(name) }
        if isWeb, !isStrict, let name = user.referrer?.developerIdentity { members["referring_identity"] = .string(name) }
        if let data = user.firstSessionData, user.isFirstDevice || !isStrict {
            members["referring_data"] = SessionData.text(data)
        }
        return .object(members)
    }
}
