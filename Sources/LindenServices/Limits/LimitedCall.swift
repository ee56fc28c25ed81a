import Linden

/// A kind of request with its own rate limit.
package enum LimitedCall: Int, Sendable, CaseIterable {
    /// Any call of the API, counted before its body is read. Protects the parser, not the data.
    case request
    case visit
    /// A handshake of TLS, where Linden itself speaks it: a millisecond of CPU.
    case handshake
    case createLink
    case readLink
    case changeLink
    /// A change of an app's settings, domains, routes or keys, after which links and apps are looked up again.
    case changeApp
    case session
    case event
    /// Any other call of an SDK.
    case call
    /// A session's token that would be exchanged with Apple: beyond the rate it is not, and the session is recorded.
    case adToken
    case qrCode
    case query
    /// Bytes of request bodies whose content is stored: links, sessions, events.
    case store

    /// The name of its settings, as in `limits.create_link.address`.
    package var name: String {
        switch self {
        case .request: "request"
        case .visit: "visit"
        case .handshake: "handshake"
        case .createLink: "create_link"
        case .readLink: "read_link"
        case .changeLink: "change_link"
        case .changeApp: "change_app"
        case .session: "session"
        case .event: "event"
        case .call: "call"
        case .adToken: "ad_token"
        case .qrCode: "qr_code"
        case .query: "query"
        case .store: "store"
        }
    }

    /// The noun in the message of a rejection.
    var meaning: String {
        switch self {
        case .request: "requests"
        case .visit: "visits to links"
        case .handshake: "handshakes of TLS"
        case .createLink: "creating links"
        case .readLink: "reading links"
        case .changeLink: "changing links"
        case .changeApp: "changes of an app's settings, domains, routes and keys"
        case .session: "installs and opens"
        case .event: "events"
        case .call: "calls of this kind"
        case .adToken: "tokens for Apple"
        case .qrCode: "QR codes"
        case .query: "queries"
        case .store: "data to store, in bytes,"
        }
    }

    /// The owners whose rates can be set. Visits and handshakes have no key, a request is counted before its key is known, only apps have tokens
    /// of Apple's, and no app is changed by its key alone.
    package var owners: [RateLimits.Owner] {
        switch self {
        case .request, .visit, .handshake: [.address]
        case .adToken: [.address, .key]
        case .changeApp: [.address, .secret]
        default: RateLimits.Owner.allCases
        }
    }

    /// The rate of all access tokens of an app together, in rates of one.
    var rateOfAllTokens: Int64 { self == .changeApp ? 1 : 8 }

    /// Returns the side of an app for which a call counts: changes of an app, which is read again with both sides, count for one.
    func counted(_ scope: Scope) -> Scope { self == .changeApp ? Scope(app: scope.app, mode: .live) : scope }

    /// Whether the body of such a call is stored and counts against ``store``.
    package var storesBody: Bool {
        switch self {
        case .createLink, .changeLink, .changeApp, .session, .event, .call, .qrCode: true
        case .request, .visit, .handshake, .adToken, .readLink, .query, .store: false
        }
    }
}
