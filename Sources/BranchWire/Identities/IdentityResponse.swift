import Linden

/// The answer to `/v1/profile` and `/v1/logout`. SDKs replace what they keep by it, so all of it is always there: without the token or
/// the link, the next start would be an install.
package struct IdentityResponse: Sendable {
    private let user: IdentifiedUser
    private let link: String
    private let ids: PublicIDs

    package init(_ user: IdentifiedUser, app: AppContext, baseURL: BaseURL, identityParameter: String, _ ids: PublicIDs) {
        self.user = user
        self.ids = ids
        link = PersonalLink.url(of: user.identity.id, app: app, baseURL: baseURL, parameter: identityParameter, ids)
    }

    package var json: JSON {
        let identity = JSON.string(ids.string(for: user.identity.id))
        var members: JSONObject = [
            "session_id": .string(ids.string(for: user.session)),
            "identity_id": identity,
            "randomized_bundle_token": identity,
            "link": .string(link),
        ]
        if let device = user.device.map({ JSON.string(ids.string(for: $0)) }) {
            members["device_fingerprint_id"] = device
            members["randomized_device_token"] = device
        }
        if let name = user.identity.developerIdentity { members["identity"] = .string(name) }
        if let data = user.firstSessionData { members["referring_data"] = .string(JSON.object(data).text) }
        return .object(members)
    }
}
