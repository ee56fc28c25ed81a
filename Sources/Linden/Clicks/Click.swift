import LinkRouting

/// One visit to a link, as it is logged. The log only grows.
package struct Click: Sendable, Equatable {
    package typealias ID = Identifier<Click>

    package let id: ID
    package let link: Link.ID
    package let scope: Scope
    package let visitor: Visitor
    /// The visitor's address: IPv4 whole, IPv6 as its /64.
    package let address: String
    /// Worked out while the address was whole.
    package let addressClass: AddressClass
    package let userAgent: String
    package let referrer: String?
    /// The site that the referrer is on.
    package let referrerHost: String?
    /// The query that was appended to the link, as it was written; nil if there was none.
    package let query: String?
    /// What the visitor was answered with; nil, as the reason is, where the app itself was opened by the link.
    package let action: Action?
    package let reason: Destination.Reason?
    /// By its cookie; nil for a browser that had none and that nobody needs to know again.
    package let browser: Browser.ID?
    /// What gave the link an address of its own by which it was visited (`/c/` and an id): an earlier click, or a ``TextMessage``.
    package let via: Click.ID?

    package init(
        id: ID, link: Link.ID, scope: Scope, visitor: Visitor, address: String, addressClass: AddressClass = .plain,
        userAgent: String, referrer: String?, referrerHost: String? = nil, query: String?, action: Action? = nil,
        reason: Destination.Reason?, browser: Browser.ID? = nil, via: Click.ID? = nil
    ) {
        self.addressClass = addressClass
        self.id = id
        self.link = link
        self.scope = scope
        self.visitor = visitor
        self.address = address
        self.userAgent = userAgent
        self.referrer = referrer
        self.referrerHost = referrerHost
        self.query = query
        self.action = action
        self.reason = reason
        self.browser = browser
        self.via = via
    }
}

extension Click {
    /// What a visitor is answered with, in one word.
    package enum Action: String, Sendable, CaseIterable {
        case redirect
        /// A page that opens the app.
        case app
        /// A page about the content.
        case deepview
        /// A page that gets the link onto a phone.
        case sendToPhone = "send_to_phone"
        case preview
        case nowhere

        package init(_ action: Destination.Action) {
            switch action {
            case .redirect: self = .redirect
            case .openApp: self = .app
            case .deepview: self = .deepview
            case .sendToPhone: self = .sendToPhone
            case .preview: self = .preview
            case .nowhere: self = .nowhere
            }
        }
    }
}

/// What a later first open can be recognised by without any id: address, system and its version.
package struct Fingerprint: Sendable, Hashable {
    package let scope: Scope
    package let address: String
    package let os: String
    package let osVersion: String

    package init(scope: Scope, address: String, os: String, osVersion: String) {
        self.scope = scope
        self.address = address
        self.os = os
        self.osVersion = osVersion
    }
}

/// A person's click that no install has claimed yet.
package struct OpenClick: Sendable {
    package let click: Click.ID
    package let link: Link.ID
    package let fingerprint: Fingerprint
    package let addressClass: AddressClass
    package let expiresAt: Timestamp

    package init(
        click: Click.ID, link: Link.ID, fingerprint: Fingerprint, addressClass: AddressClass = .plain, expiresAt: Timestamp
    ) {
        self.addressClass = addressClass
        self.click = click
        self.link = link
        self.fingerprint = fingerprint
        self.expiresAt = expiresAt
    }
}

package protocol ClickReader {
    func click(_ id: Click.ID) throws -> Click?
    /// The open clicks of a fingerprint that have not expired, newest first.
    func openClicks(_ fingerprint: Fingerprint, at time: Timestamp, limit: Int) throws -> [OpenClick]
    /// Whether the window of any open click is over.
    func hasExpiredOpenClicks(at time: Timestamp) throws -> Bool
}

package protocol ClickRepository: ClickReader {
    func insert(_ click: Click) throws
    func insert(_ click: OpenClick) throws
    /// Takes an open click away for good. False if somebody was faster.
    func claim(_ click: Click.ID, _ fingerprint: Fingerprint) throws -> Bool
    /// Removes open clicks whose window is over; at most `limit`.
    func deleteExpiredOpenClicks(at time: Timestamp, limit: Int) throws
}
