import Linden
import LindenKernel

/// The fields that identify the device and identity of a report or query. Newer SDKs send them in `user_data`, the Web SDK as JSON text in
/// a form field; older ones, and iOS 0.21 to 0.27.1 on a server other than Branch's, at the top level.
package struct UserFields: Sendable {
    /// The whole body, with JSON texts parsed.
    package let body: RequestFields
    private let userData: RequestFields

    package init(_ body: RequestFields) {
        var members = body.members
        for key in Self.nested {
            if let opened = members[key]?.opened { members[key] = opened }
        }
        self.body = RequestFields(members)
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

    /// The reported login state of the device; nil if the report does not include it.
    var loginState: LoginState? { AndroidQuirks.loginState(userData) }

    /// The hardware ids that first sessions report, under their v1 and v2 names.
    var hardwareIDs: [String] {
        [DeviceDescription.hardwareID(body), userData.text("idfv"), userData.text("android_id")].compactMap { $0 }
    }

    var advertisingIDs: [String] {
        [DeviceDescription.advertisingID(body), userData.text("aaid"), userData.text("idfa")].compactMap { $0 }
    }

    /// Whether the report has any id of a device or identity.
    var identifiesSender: Bool {
        Self.tokens.contains { text($0) != nil } || developerIdentity != nil || !hardwareIDs.isEmpty || !advertisingIDs.isEmpty
    }

    /// The keys of ids that Linden assigned.
    private static let tokens = [
        "randomized_device_token", "device_fingerprint_id", "randomized_bundle_token", "identity_id", "session_id",
        "browser_fingerprint_id",
    ]

    /// Returns a text field from the top level or else from `user_data`.
    func text(_ key: String) -> String? { body.text(key) ?? userData.text(key) }

    /// The keys of objects that some SDKs send as JSON text.
    private static let nested = [
        "user_data", "event_data", "custom_data", "content_items", "metadata", "commerce_data", "params",
    ]
}
