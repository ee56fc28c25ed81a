import LindenKernel
import LinkRouting

/// One visit to a link, as logged. The log is append-only.
package struct Click: Sendable, Equatable {
    package typealias ID = Identifier<Click>

    package let id: ID
    package let link: Link.ID
    package let scope: Scope
    package let visitor: Visitor
    /// The stored form of the visitor's address, see ``AddressPrivacy``.
    package let address: String
    /// The class of the address, determined before it was pseudonymized.
    package let addressClass: AddressClass
    /// The visitor's site, see ``AddressPseudonymizer/site(of:)``.
    package let site: Int64?
    package let userAgent: String
    package let referrer: String?
    /// The host of the referrer.
    package let referrerHost: String?
    /// The query appended to the link, not decoded; nil if there was none.
    package let query: String?
    /// The response to the visitor; nil, as is ``reason``, if the link opened the app itself.
    package let action: Action?
    package let reason: Destination.Reason?
    /// The browser's id from its cookie; nil for a browser that had none and need not be recognized later.
    package let browser: Browser.ID?
    /// The id in the visited URL (`/c/` and an id): an earlier click or a ``TextMessage``.
    package let via: Click.ID?
    /// Whether the click is reportable; false if the link asks not to be counted.
    package let isReportable: Bool
    /// The visitor's primary language, for matching; nil for a click that is not pending.
    package var language: String?
    /// The length of the match window in whole seconds; nil for a click that is not pending. See ``PendingClick``.
    package var matchSeconds: Int64?
    /// The hash of what the query appends to the link, see ``ClickContent``; nil if it appends nothing, and for a click that is not pending.
    package var appendedHash: String?
    /// What is kept of a long link; nil for a stored link.
    package let longLink: LongLinkRecord?

    package init(
        id: ID, link: Link.ID, scope: Scope, visitor: Visitor, address: String, addressClass: AddressClass = .plain,
        site: Int64? = nil, userAgent: String, referrer: String?, referrerHost: String? = nil, query: String?,
        action: Action? = nil, reason: Destination.Reason?, browser: Browser.ID? = nil, via: Click.ID? = nil,
        isReportable: Bool = true, language: String? = nil, matchSeconds: Int64? = nil, appendedHash: String? = nil,
        longLink: LongLinkRecord? = nil
    ) {
        self.language = language
        self.appendedHash = appendedHash
        self.matchSeconds = matchSeconds
        self.longLink = longLink
        self.addressClass = addressClass
        self.site = site
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
        self.isReportable = isReportable
    }
}

extension Click {
    /// The kind of response to a visitor.
    package enum Action: String, Sendable, CaseIterable {
        case redirect
        /// A page that opens the app.
        case app
        /// A page that shows the content.
        case deepview
        /// A page that sends the link to a phone.
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

/// The lookup key of probabilistic matching: scope, stored address, OS and OS version.
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
    /// The key of the pending click; nil for a click that never was pending.
    package var fingerprint: Fingerprint? {
        guard visitor.robot == nil, let os = visitor.os else { return nil }
        return Fingerprint(scope: scope, address: address, os: os, osVersion: visitor.osVersion ?? "")
    }

    /// The end of the match window; nil for a click that is not pending.
    package var matchExpiresAt: Timestamp? { matchSeconds.map { id.time + .seconds($0) } }
}

/// A pending click: a click, not by a robot, that an install may claim. The click log has all of it but claims and device reports.
package struct PendingClick: Sendable, Equatable {
    package let click: Click.ID
    package let link: Link.ID
    package let fingerprint: Fingerprint
    package let model: String?
    package let screen: Screen?
    /// The OS version reported by the click's page, where the browser's request hid it.
    package let reportedOSVersion: String?
    /// The primary language without its region, such as `de`.
    package let language: String?
    package let addressClass: AddressClass
    package let expiresAt: Timestamp
    /// Whether an installation has claimed it.
    package let isClaimed: Bool
    /// The hash of the appended query, see ``ClickContent``; nil if nothing was appended.
    package let appended: String?
    /// The browser that clicked; nil for one without a cookie.
    package let browser: Browser.ID?

    package init(
        click: Click.ID, link: Link.ID, fingerprint: Fingerprint, model: String? = nil, screen: Screen? = nil,
        reportedOSVersion: String? = nil, language: String? = nil,
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
        self.reportedOSVersion = reportedOSVersion
        self.language = language
        self.expiresAt = expiresAt
        self.isClaimed = isClaimed
    }

    /// How long a pending click is stored after its window, to explain launches that come too late.
    package static let explanationPeriod: Duration = .seconds(3600)
    /// How long the claim of a click is stored, from the click on: the longest match window, and the time for explanations.
    package static let claimPeriod: Duration = explanationPeriod + .seconds(Link.longestMatchSeconds)
}

/// The kind of visitor whose visits a list has.
package enum ClickVisitor: String, Sendable, CaseIterable {
    case person, robot
}

package protocol ClickReader {
    func click(_ id: Click.ID) throws -> Click?
    /// Returns the visits of a link among the next `limit` rows of the log with `id` < row id <= `last`; the number of rows read, and the
    /// last id that they cover.
    func clicks(of link: Link.ID, after id: Int64, through last: Int64, limit: Int) throws -> (
        clicks: [Click], rows: Int, through: Int64
    )
    /// Returns the newest visits of an app's links, or of one of them, by all visitors or one kind, among the newest `rows` rows of the log in
    /// a range of ids; and the first of these rows, nil if the range has fewer.
    func clicks(
        of scope: Scope, link: Link.ID?, by visitor: ClickVisitor?, in ids: Range<Int64>, among rows: Int, limit: Int
    ) throws -> (clicks: [Click], first: Int64?)
    /// Returns the pending clicks of a fingerprint, newest first, including claimed and expired ones that are still stored.
    func pendingClicks(_ fingerprint: Fingerprint, limit: Int) throws -> [PendingClick]
    /// Returns whether the window of any pending click was over at a time.
    func hasExpiredPendingClicks(at time: Timestamp) throws -> Bool
    /// Returns the newest unclaimed click that named a device by an advertising id.
    func click(namingDevice key: String, in scope: Scope) throws -> Click.ID?
    func hasExpiredDeviceClicks(at time: Timestamp) throws -> Bool
    /// Returns whether there are claims of clicks made before a time that can be deleted.
    func hasClaims(ofClicksBefore time: Timestamp) throws -> Bool
    /// Prepares pending clicks in memory to be merged into the database, once they are many or old. Returns whether there are any to merge.
    func beginMergingPendingClicks() throws -> Bool
}

package protocol ClickRepository: ClickReader {
    /// Logs a visit, as a pending click if it has a match window. Fails with `unavailable` if memory has no room for a pending click.
    func insert(_ click: Click) throws
    /// Stores a click that names a device by an advertising id.
    func insert(_ click: Click.ID, namingDevice key: String, in scope: Scope, expiresAt: Timestamp) throws
    /// Claims a click that names a device, permanently. Returns false if it is claimed already.
    func claim(_ click: Click.ID, namingDevice key: String, in scope: Scope) throws -> Bool
    func deleteExpiredDeviceClicks(at time: Timestamp, limit: Int) throws
    /// Deletes claims of clicks made before a time, the oldest first.
    func deleteClaims(ofClicksBefore time: Timestamp, limit: Int) throws
    /// Adds a device report to a pending click. Only the first report counts; a click that is unknown or claimed is left unchanged.
    func record(_ report: DeviceReport, of click: Click.ID, _ fingerprint: Fingerprint) throws
    /// Claims a pending click, permanently. Returns false if it is claimed already, and if it was not pending or is no longer stored.
    func claim(_ click: Click.ID) throws -> Bool
    /// Deletes pending clicks whose window was over at a time, oldest first: about `limit`, since those with equal expiry are deleted
    /// together.
    func deleteExpiredPendingClicks(at time: Timestamp, limit: Int) throws
    /// Merges the prepared pending clicks from a position on into the database, at most `limit`.
    ///
    /// - Returns: the position of the next ones; nil after the last.
    func mergePendingClicks(from position: Int, limit: Int) throws -> Int?
}
