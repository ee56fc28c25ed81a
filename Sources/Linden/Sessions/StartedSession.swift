import LindenKernel

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
    package var hasApp: Bool
    /// Whether the SDK gets a link that names the identity as its sharer, by which a link's sharer can be found among names to try.
    package let mayShare: Bool
    /// The number of bytes stored for it: the link's data, which is stored twice for a first session, the explanation and the evidence.
    /// Zero for a retry, and where tracking is disabled.
    package internal(set) var storedBytes = 0
    /// How the launch was attributed, with the name of the matcher or of the refusal. Nil for a retry.
    package internal(set) var attribution: (outcome: AttributionDecision.Outcome, by: String)?
}

/// The result of the transaction that starts a session.
struct SessionResult: Sendable {
    var session: StartedSession
    /// The data that an earlier try of the request recorded, as JSON text; the session has none then.
    var dataText: String?

    /// Returns the session with its data. To be called after the transaction: the data may be large, and other writers would wait.
    func withData() throws -> StartedSession {
        guard let dataText else { return session }
        var session = session
        session.data = try JSON.parse(dataText).object ?? [:]
        return session
    }
}
