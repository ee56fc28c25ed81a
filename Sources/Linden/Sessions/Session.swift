/// One stretch of use of an app, from its opening on.
package struct Session: Sendable {
    package typealias ID = Identifier<Session>

    package enum Kind: Int64, Sendable {
        /// The first session of this installation.
        case install = 0
        case open = 1
        /// A page with the Web SDK.
        case web = 2
        /// No opening: the user of a device changed.
        case userChange = 3
        /// The first session of a new installation on a device that had the app before.
        case reinstall = 4
        /// The first session of the whole app on a device that had only its App Clip or instant app.
        case fullAppConversion = 5

        /// Whether the app is new to the device: what counts as an install.
        package var isInstall: Bool { self == .install || self == .fullAppConversion }
    }

    package let id: ID
    package let scope: Scope
    package let device: Device.ID
    package let identity: Identity.ID
    package let kind: Kind
    /// The link the session was given to, and the click; nil for an organic one.
    package let link: Link.ID?
    package let click: Click.ID?
    /// Who shared that link; nobody brings himself.
    package let referrer: Identity.ID?
    /// The parameters the app was answered with, but for the route that its routes make of them.
    package let data: JSONObject
    /// Why it was given to that link or to none.
    package let explanation: JSON
    /// What that was decided from; nil for a session from before it was kept.
    package let evidence: Evidence?

    /// Whether a link or an ad is given credit for it. A link may ask for none (`$deeplink_no_attribution`).
    package var isAttributed: Bool { link != nil || explanation.object?["ad"]?.object != nil }

    package init(
        id: ID, scope: Scope, device: Device.ID, identity: Identity.ID, kind: Kind, link: Link.ID?, click: Click.ID?,
        referrer: Identity.ID? = nil, data: JSONObject, explanation: JSON, evidence: Evidence? = nil
    ) {
        self.id = id
        self.scope = scope
        self.device = device
        self.identity = identity
        self.kind = kind
        self.link = link
        self.click = click
        self.referrer = referrer
        self.data = data
        self.explanation = explanation
        self.evidence = evidence
    }
}

package protocol SessionReader {
    func session(_ id: Session.ID) throws -> Session?
    /// The newest sessions of a scope, before one of them; newest first.
    func sessions(of scope: Scope, before: Session.ID?, limit: Int) throws -> [Session]
    /// How many sessions of a kind a user's links brought, and of how many other users. A conversion to the full app is an install.
    func referrals(by identity: Identity.ID, kind: Session.Kind) throws -> ReferralCount
}

/// What a user's links brought.
package struct ReferralCount: Sendable, Equatable {
    package var total: Int64
    package var unique: Int64

    package init(total: Int64 = 0, unique: Int64 = 0) {
        self.total = total
        self.unique = unique
    }
}

package protocol SessionRepository: SessionReader {
    func insert(_ session: Session) throws
    /// Writes anew what a session was answered with and why, and what that was decided from.
    func update(_ id: Session.ID, data: JSONObject, explanation: JSON, evidence: Evidence) throws
    /// The first close counts; a session that is unknown, of another scope or closed already is left as it is.
    func closeSession(_ id: Session.ID, in scope: Scope, at time: Timestamp) throws
}
