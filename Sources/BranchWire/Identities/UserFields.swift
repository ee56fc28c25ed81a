import Linden

/// Who a report or question is about. Newer SDKs say it in `user_data`, the Web SDK as JSON text in a field of its form; older ones, and iOS
/// 0.21 to 0.27.1 on a server that is not Branch's own, leave it flat at the top.
package struct UserFields: Sendable {
    /// The whole body, JSON texts opened.
    package let body: RequestFields
    private let userData: RequestFields

    package init(_ body: RequestFields) {
        self.body = RequestFields(JSONObject(body.members.map { (key: $0.key, value: Self.opened($0.value, key: $0.key)) }))
        userData = RequestFields(self.body["user_data"]?.object ?? [:])
    }

    package func tokens(_ ids: PublicIDs) -> UserTokens {
        let (outer, inner) = (body.tokens(ids), userData.tokens(ids))
        return UserTokens(
            device: outer.device ?? inner.device, identity: outer.identity ?? inner.identity,
            session: outer.session ?? inner.session)
    }

    var developerIdentity: String? {
        userData.text("developer_identity") ?? body.text("identity", "developer_identity")
    }

    /// What the report says about the login on its device; nil where it does not tell.
    var loginState: LoginState? { AndroidQuirks.loginState(userData) }

    /// The ids by which first sessions know a device: v1 and v2 have different names for them.
    var hardwareIDs: [String] {
        [DeviceDescription.hardwareID(body), userData.text("idfv"), userData.text("android_id")].compactMap { $0 }
    }

    var advertisingIDs: [String] {
        [DeviceDescription.advertisingID(body), userData.text("aaid"), userData.text("idfa")].compactMap { $0 }
    }

    /// Whether anything says who it is about.
    var tellsSomebody: Bool {
        Self.tokens.contains { text($0) != nil } || developerIdentity != nil || !hardwareIDs.isEmpty || !advertisingIDs.isEmpty
    }

    /// The keys of ids that were given out.
    private static let tokens = [
        "randomized_device_token", "device_fingerprint_id", "randomized_bundle_token", "identity_id", "session_id",
        "browser_fingerprint_id",
    ]

    /// A text at the top or in `user_data`.
    func text(_ key: String) -> String? { body.text(key) ?? userData.text(key) }

    private static func opened(_ value: JSON, key: String) -> JSON {
        guard nested.contains(key), let text = value.string, let opened = try? JSON.parse(text) else { return value }
        return opened
    }

    /// The keys of objects that some SDKs send as text.
    private static let nested: Set<String> = [
        "user_data", "event_data", "custom_data", "content_items", "metadata", "commerce_data", "params",
    ]
}
