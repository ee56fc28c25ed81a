import Linden
import LinkRouting

/// The base of the links that an SDK makes up without a server: the app's long link with the user's token. The SDK appends pairs to it.
enum PersonalLink {
    static func url(of identity: Identity.ID, app: AppContext, baseURL: BaseURL, parameter: String, _ ids: PublicIDs) -> String {
        URLParts.appending(QueryItem(name: parameter, value: ids.string(for: identity)), to: baseURL.longLinkBase(of: app))
    }
}

extension RequestFields {
    /// The name of the identity token in a client's own long links: SDKs strip the one they know.
    package var identityParameter: String {
        let speaksNewNames =
            self["randomized_bundle_token"] != nil || self["branch_sdk_request_unique_id"] != nil || IOSQuirks.speaksNewNames(self)
        return speaksNewNames ? "$randomized_bundle_token" : "$identity_id"
    }

    /// The tokens, under either name.
    package func tokens(_ ids: PublicIDs) -> UserTokens {
        UserTokens(
            device: (text("randomized_device_token", "device_fingerprint_id") ?? WebQuirks.browser(self)).flatMap {
                ids.id(for: $0)
            },
            identity: text("randomized_bundle_token", "identity_id").flatMap { ids.id(for: $0) },
            session: text("session_id").flatMap { ids.id(for: $0) })
    }
}
