import LinkRouting

/// One visit to a link, as it is logged. The log only grows.
package struct Click: Sendable, Equatable {
    package typealias ID = Identifier<Click>

    package let id: ID
    package let link: Link.ID
    package let scope: Scope
    package let visitor: Visitor
    /// The visitor's address as it is kept, see ``AddressPrivacy``.
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
    /// False where the link asks not to be counted.
    package let isCounted: Bool

    package init(
        id: ID, link: Link.ID, scope: Scope, visitor: Visitor, address: String, addressClass: AddressClass = .plain,
        userAgent: String, referrer: String?, referrerHost: String? = nil, query: String?, action: Action? = nil,
        reason: Destination.Reason?, browser: Browser.ID? = nil, via: Click.ID? = nil, isCounted: Bool = true
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
        self.isCounted = isCounted
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

/// Where a later first open is looked for without any id: the address and the system.
package struct Fingerprint: Sendable, Hashable {
    package let scope: Scope
    package let address: String
    package let os: String
    /// Empty for a browser that hides it.
    package let osVersion: String

    package init(scope: Scope, address: String, os: String, osVersion: String) {
        self.scope = scope
        self.address = address
        self.os = os
        self.osVersion = osVersion
    }
}

extension Click {
    /// Where the click lies among the open ones; nil if it never did.
    var fingerprint: Fingerprint? {
        guard visitor.robot == nil, let os = visitor.os else { return nil }
        return Fingerprint(scope: scope, address: address, os: os, osVersion: visitor.osVersion ?? "")
    }
}

/// A person's click that an install may be given.
package struct OpenClick: Sendable, Equatable {
    package let click: Click.ID
    package let link: Link.ID
    package let fingerprint: Fingerprint
    package let model: String?
    package let screen: Screen?
    /// What the click's page told of the system's version, where the browser's request hid it.
    package let toldOSVersion: String?
    /// `de`, without its region.
    package let language: String?
    package let addressClass: AddressClass
    package let expiresAt: Timestamp
    /// Whether an installation was given it.
    package let isClaimed: Bool
    /// A hash of what it appended to its link, see ``ClickContent``; nil for a click of before it was kept.
    package let appended: String?
    /// The browser that clicked; nil for one without a cookie, and before the click is read again.
    package let browser: Browser.ID?

    package init(
        click: Click.ID, link: Link.ID, fingerprint: Fingerprint, model: String? = nil, screen: Screen? = nil,
        toldOSVersion: String? = nil, language: String? = nil,
        addressClass: AddressClass = .plain, expiresAt: Timestamp, isClaimed: Bool = false, appended: String? = nil,
        browser: Browser.ID? = nil
    ) {
        self.appended = appended
        self.browser = browser
        self.addressClass = addressClass
        self.click = click
        self.link = link
        self.fingerprint = fingerprint
        self.model = model
        self.screen = screen
        self.toldOSVersion = toldOSVersion
        self.language = language
        self.expiresAt = expiresAt
        self.isClaimed = isClaimed
    }

    /// How long a click is kept beyond its window, to tell those who come too late.
    package static let afterlife: Duration = .seconds(3600)
}

package protocol ClickReader {
    func click(_ id: Click.ID) throws -> Click?
    /// The visits of a link among the next `limit` rows of the log after one id up to another; how many those are, and how far they reach.
    func clicks(of link: Link.ID, after id: Int64, through last: Int64, limit: Int) throws -> (
        clicks: [Click], rows: Int, through: Int64
    )
    /// The clicks of a fingerprint, newest first, also those that were claimed or came too long ago, as long as they are kept.
    func openClicks(_ fingerprint: Fingerprint, limit: Int) throws -> [OpenClick]
    /// Whether the window of any open click was over at a time.
    func hasExpiredOpenClicks(at time: Timestamp) throws -> Bool
    /// The newest click that named a device by an advertising id and that no session was given yet.
    func click(namingDevice key: String, in scope: Scope) throws -> Click.ID?
    func hasExpiredDeviceClicks(at time: Timestamp) throws -> Bool
}

package protocol ClickRepository: ClickReader {
    func insert(_ click: Click) throws
    func insert(_ click: OpenClick) throws
    /// Notes a click that names a device by an advertising id.
    func insert(_ click: Click.ID, namingDevice key: String, in scope: Scope, expiresAt: Timestamp) throws
    /// Gives a click that names a device to a session of it for good. False if another was faster.
    func claim(_ click: Click.ID, namingDevice key: String, in scope: Scope) throws -> Bool
    func deleteExpiredDeviceClicks(at time: Timestamp, limit: Int) throws
    /// Adds to an open click what its page told of the device. The first word counts; a click that is unknown or claimed is left as it is.
    func note(_ report: DeviceReport, of click: Click.ID, _ fingerprint: Fingerprint) throws
    /// Gives an open click to an installation for good. False if somebody was faster.
    func claim(_ click: Click.ID, _ fingerprint: Fingerprint) throws -> Bool
    /// Removes open clicks whose window was over at a time; at most `limit`.
    func deleteExpiredOpenClicks(at time: Timestamp, limit: Int) throws
}
