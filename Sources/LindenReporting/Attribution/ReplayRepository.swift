import Linden
import LindenKernel

package protocol ReplayReader {
    /// Returns the explanations of a scope's installs, in the order of ids; installs are first sessions of the app on a device.
    func explanationsOfInstalls(from first: Session.ID, before end: Session.ID, in scope: Scope, limit: Int) throws -> [(
        session: Session.ID, explanation: StoredDecision
    )]
    /// Counts the sessions that ``sessions(from:before:of:limit:)`` returns, at most `limit`, and finds the last of them; nil if there are
    /// none.
    func replayableSessions(from first: Session.ID, before end: Session.ID, of scope: Scope?, limit: Int) throws -> ReplayablePage?
    /// Returns the sessions of a scope, or of all, with `first` <= id < `end`, oldest first. Sessions created by a change of identity are
    /// left out, and so is the data of sessions: a page of it may be large.
    func sessions(from first: Session.ID, before end: Session.ID, of scope: Scope?, limit: Int) throws -> [Session]
    /// Returns sessions of apps that are attributed to a click, on other devices than one, at most `limit`, in any order.
    func sessions(givenTo click: Click.ID, besides device: Device.ID, limit: Int) throws -> [Session]
    /// Whether a session after another one is attributed to a click, on a device or of an identity.
    func hasSession(after session: Session.ID, givenTo click: Click.ID, on device: Device.ID) throws -> Bool
    func hasSession(after session: Session.ID, givenTo click: Click.ID, of identity: Identity.ID) throws -> Bool
}

package protocol ReplayRepository: ReplayReader {
    /// Updates the attribution of a session (link, click, referrer, data and explanation), and moves it from the counts of the old link to
    /// those of the new one.
    func redecide(_ session: Session, as decided: Session) throws
    /// Replaces the last touch of a device; nil removes it.
    func replaceLastTouch(_ click: Click.ID?, ofDevice device: Device.ID) throws
    /// Replaces the last touch of an identity; nil removes it.
    func replaceLastTouch(_ click: Click.ID?, ofIdentity identity: Identity.ID) throws
}

/// The counts of one page of sessions for a replay.
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
