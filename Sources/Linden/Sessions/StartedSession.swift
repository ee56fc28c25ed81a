/// A started session: the tokens that the SDK stores and the parameters that it hands to the app.
package struct StartedSession: Sendable {
    package let id: Session.ID
    package let device: Device.ID
    package let identity: Identity
    package let click: Click.ID?
    package var data: JSONObject
    /// The identity that shared the link.
    package let referrer: Identity?
    /// Whether the session's browser is known to be beside the app; false for the app itself.
    package let hasApp: Bool
    /// The session as stored by this request; nil for a retry, and where tracking is disabled.
    var record: Session?

    /// The number of bytes stored for it: the link's data, which is stored twice for a first session, the explanation and the evidence.
    package var storedBytes: Int {
        guard let record else { return 0 }
        return 2 * JSON.object(record.data).bytes.count + record.explanation.bytes.count + (record.evidence?.json.bytes.count ?? 0)
    }
}
