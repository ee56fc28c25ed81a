import Linden
import LindenKernel

extension RequestFields {
    /// Returns the tokens of the device, the identity and the session, under their new or old names.
    package func tokens(_ ids: PublicIDs) -> UserTokens {
        UserTokens(
            device: (text("randomized_device_token", "device_fingerprint_id") ?? WebQuirks.browser(self)).flatMap {
                ids.id(for: $0)
            },
            identity: text("randomized_bundle_token", "identity_id").flatMap { ids.id(for: $0) },
            session: text("session_id").flatMap { ids.id(for: $0) })
    }

    /// The query parameter for the identity's token in the client's own long links. Each SDK knows the name that was current when it was
    /// released.
    package var identityParameter: String {
        let speaksNewNames =
            self["randomized_bundle_token"] != nil || self["branch_sdk_request_unique_id"] != nil || IOSQuirks.speaksNewNames(self)
        return speaksNewNames ? "$randomized_bundle_token" : "$identity_id"
    }

    /// Whether tracking is disabled, at the top level or, in v2 events, in `user_data`.
    package var isTrackingDisabled: Bool {
        flag("tracking_disabled") || self["user_data"]?.object.map { RequestFields($0).flag("tracking_disabled") } ?? false
    }
}
