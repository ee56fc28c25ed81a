import Linden

/// A report of any generation: `/v1/event`, `/v2/event/standard`, `/v2/event/custom`, `/v1/pageview`, `/v1/register-view` and the like.
///
/// Newer SDKs put who and what reports into `user_data`; iOS 0.21 to 0.27.1 leave it flat at the top when the server is not Branch's own.
package struct EventRequest: Sendable {
    private let body: RequestFields
    private let userData: RequestFields

    package init(_ body: RequestFields) {
        self.body = RequestFields(JSONObject(body.members.map { (key: $0.key, value: Self.opened($0.value, key: $0.key)) }))
        userData = RequestFields(self.body["user_data"]?.object ?? [:])
    }

    package var isTrackingDisabled: Bool { body.flag("tracking_disabled") }

    /// - Parameter fallback: the name of a report that has none of its own.
    package func event(endpoint: String, fallback: String, _ ids: PublicIDs) -> NewEvent {
        let (outer, inner) = (body.tokens(ids), userData.tokens(ids))
        let tokens = UserTokens(
            device: outer.device ?? inner.device, identity: outer.identity ?? inner.identity,
            session: outer.session ?? inner.session)
        let secrets: Set<String> = ["branch_key", "branch_secret"]
        return NewEvent(
            endpoint: endpoint, name: body.text("name", "event") ?? fallback, tokens: tokens,
            developerIdentity: userData.text("developer_identity") ?? body.text("identity", "developer_identity"),
            body: body.members.filter { key, _ in !secrets.contains(key) }, requestKey: body.requestKey(for: endpoint))
    }

    /// The Web SDK sends objects as JSON text, each in a field of its form.
    private static func opened(_ value: JSON, key: String) -> JSON {
        let nested: Set<String> = [
            "user_data", "event_data", "custom_data", "content_items", "metadata", "commerce_data", "params",
        ]
        guard nested.contains(key), let text = value.string, let opened = try? JSON.parse(text) else { return value }
        return opened
    }
}
