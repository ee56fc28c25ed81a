package protocol ReplayReader {
    /// The explanations of a scope's installs, in the order of ids; installs are first sessions of the app on a device.
    func explanationsOfInstalls(from first: Session.ID, before end: Session.ID, in scope: Scope, limit: Int) throws -> [(
        session: Session.ID, explanation: JSON
    )]
    /// Counts sessions as ``sessions(from:before:of:limit:)`` gives them, at most `limit`, and finds the last of them; nil if there are none.
    func replayableSessions(from first: Session.ID, before end: Session.ID, of scope: Scope?, limit: Int) throws -> ReplayablePage?
    /// Sessions with an opening, of a scope or of all, from one id on and before another; oldest first.
    func sessions(from first: Session.ID, before end: Session.ID, of scope: Scope?, limit: Int) throws -> [Session]
    /// The sessions that were given to a click.
    func sessions(givenTo click: Click.ID) throws -> [Session]
}

package protocol ReplayRepository: ReplayReader {
    /// Writes what a session is given to: link, click, referrer, data and explanation; and takes it from the one link's figures to the
    /// other's.
    func redecide(_ session: Session, as decided: Session) throws
    /// Notes another click, or none, as the last that led a device into the app.
    func replaceLastTouch(_ click: Click.ID?, ofDevice device: Device.ID) throws
    /// Notes another click, or none, as the last that led a user into the app.
    func replaceLastTouch(_ click: Click.ID?, ofIdentity identity: Identity.ID) throws
}

/// How many of some sessions can be decided again.
package struct ReplayablePage: Sendable {
    package let sessions: Int
    package let withoutEvidence: Int
    package let last: Session.ID

    package init(sessions: Int, withoutEvidence: Int, last: Session.ID) {
        self.sessions = sessions
        self.withoutEvidence = withoutEvidence
        self.last = last
    }
}
