import Linden

extension RequestFields {
    /// The tokens, under either name.
    package func tokens(_ ids: PublicIDs) -> UserTokens {
        UserTokens(
            device: (text("randomized_device_token", "device_fingerprint_id") ?? WebQuirks.browser(self)).flatMap {
                ids.id(for: $0)
            },
            identity: text("randomized_bundle_token", "identity_id").flatMap { ids.id(for: $0) },
            session: text("session_id").flatMap { ids.id(for: $0) })
    }

    /// The name of the user's token in a client's own long links: SDKs know the one of their time.
    package var identityParameter: String {
        let speaksNewNames =
            self["randomized_bundle_token"] != nil || self["branch_sdk_request_unique_id"] != nil || IOSQuirks.speaksNewNames(self)
        return speaksNewNames ? "$randomized_bundle_token" : "$identity_id"
    }

    /// Whoever it is about wants not to be tracked: at the top or, in v2 events, in `user_data`.
    package var isTrackingDisabled: Bool {
        flag("tracking_disabled") || self["user_data"]?.object.map { RequestFields($0).flag("tracking_disabled") } ?? false
    }
}
