import LindenKernel

/// One session of an app, beginning with its launch.
package struct Session: Sendable {
    package typealias ID = Identifier<Session>

    package enum Kind: Int64, Sendable, CaseIterable {
        /// The first session of this installation.
        case install = 0
        case open = 1
        /// A session in a web page with the Web SDK.
        case web = 2
        /// Not a launch: the identity of a device changed.
        case userChange = 3
        /// The first session of a new installation on a device that had the app before.
        case reinstall = 4
        /// The first session of the whole app on a device that had only its App Clip or instant app.
        case fullAppConversion = 5

        /// Whether the app is new to the device and the session counts as an install.
        package var isInstall: Bool { self == .install || self == .fullAppConversion }
        /// The stored values of the kinds that count as an install.
        package static let installValues: [Int64] = allCases.filter(\.isInstall).map(\.rawValue)
    }

    package let id: ID
    package let scope: Scope
    package let device: Device.ID
    package let identity: Identity.ID
    package let kind: Kind
    /// The link that the session is attributed to, and the click that led to it; both nil for an organic one. If the link opted out of
    /// attribution, only the click is set.
    package let link: Link.ID?
    package let click: Click.ID?
    /// The identity that shared that link; nil if that is the session's own identity.
    package let referrer: Identity.ID?
    /// The parameters returned to the app, without the route that is derived from them.
    package let data: JSONObject
    /// The decision that attributed the session, with its reasons.
    package let explanation: StoredDecision
    /// The evidence of the decision; nil for a change of identity, which has nothing to decide.
    package let evidence: Evidence?

    package var reference: SessionReference {
        SessionReference(id: id, scope: scope, device: device, identity: identity, click: click)
    }

    /// Whether the session is attributed to an App Store ad.
    package var isByAd: Bool { explanation.ad != nil }
    /// Whether the session is attributed to a link or an ad. A link may opt out (`$deeplink_no_attribution`).
    package var isAttributed: Bool { link != nil || isByAd }

    package init(
        id: ID, scope: Scope, device: Device.ID, identity: Identity.ID, kind: Kind, link: Link.ID?, click: Click.ID?,
        referrer: Identity.ID? = nil, data: JSONObject, explanation: StoredDecision, evidence: Evidence? = nil
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

/// The ids of a session. Reading them costs the same however large the session's data is.
package struct SessionReference: Sendable {
    package let id: Session.ID
    package let scope: Scope
    package let device: Device.ID
    package let identity: Identity.ID
    package let click: Click.ID?

    package init(id: Session.ID, scope: Scope, device: Device.ID, identity: Identity.ID, click: Click.ID?) {
        self.id = id
        self.scope = scope
        self.device = device
        self.identity = identity
        self.click = click
    }
}

/// What the response to a session's start contains of the session as stored. Its data is still JSON text, because it may be large, and
/// other writers would wait while it is parsed.
package struct SessionRecord: Sendable {
    package let reference: SessionReference
    package let kind: Session.Kind
    package let referrer: Identity.ID?
    package let dataText: String

    package init(reference: SessionReference, kind: Session.Kind, referrer: Identity.ID?, dataText: String) {
        self.reference = reference
        self.kind = kind
        self.referrer = referrer
        self.dataText = dataText
    }
}

package protocol SessionReader {
    func session(_ id: Session.ID) throws -> Session?
    func sessionReference(_ id: Session.ID) throws -> SessionReference?
    func sessionRecord(_ id: Session.ID) throws -> SessionRecord?
    /// Returns the first session that a click led to: in the app or, if `isPage`, in a page with the Web SDK.
    func session(claiming click: Click.ID, isPage: Bool) throws -> SessionReference?
    /// Returns the number of sessions of a kind that an identity's links led to, and of distinct identities in them. A conversion to the
    /// full app counts as an install.
    func referrals(by identity: Identity.ID, kind: Session.Kind) throws -> ReferralCount
}

/// The sessions that an identity's links led to, at most ``most``: anyone may ask for their number.
package struct ReferralCount: Sendable, Equatable {
    package var total: Int64
    package var unique: Int64

    /// Sessions that are counted.
    package static let most: Int64 = 1000

    package init(total: Int64 = 0, unique: Int64 = 0) {
        self.total = total
        self.unique = unique
    }
}

package protocol SessionRepository: SessionReader {
    /// Stores a session. Returns the number of bytes of its data, and of its explanation and evidence.
    @discardableResult
    func insert(_ session: Session) throws -> (data: Int, decision: Int)
    /// Replaces the data, explanation and evidence of a session.
    func update(_ id: Session.ID, data: JSONObject, explanation: StoredDecision, evidence: Evidence) throws
    /// Closes a session. Only the first close counts; a session that is unknown, of another scope or closed already is left unchanged.
    func closeSession(_ id: Session.ID, in scope: Scope, at time: Timestamp) throws
}
