import Linden
import LindenKernel
import LinkRouting

/// A row of a log as it is exported, with its device and identity.
package struct ExportRow: Sendable {
    package enum Kind: Sendable {
        case click
        case session(Session.Kind)
        case event(EventKind, name: String)
        case link
    }

    /// The projection of a row: parts that are slow to read, and are read only if exported.
    package struct Projection: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The report. It is also read for events whose device has no known system.
        package static let body = Projection(rawValue: 1)
        /// User agent and referrer.
        package static let texts = Projection(rawValue: 2)
        /// The credited link and click.
        package static let touch = Projection(rawValue: 4)
        /// The parameters of the identity's first session.
        package static let firstTouch = Projection(rawValue: 8)
        /// The report, where brand or model of the device is unknown.
        package static let model = Projection(rawValue: 16)
        /// The report, where an id of the device is unknown.
        package static let deviceIDs = Projection(rawValue: 32)
        package static let all: Projection = [.body, .texts, .touch, .firstTouch]
    }

    package let id: Int64
    package let kind: Kind
    /// The credited click and link. The row of a click has itself and its link; that of a link has only itself.
    package var click: Click.ID?
    package var link: Link.ID?
    /// Whether a session is attributed to an App Store ad.
    package var isByAd = false
    /// The query appended to the link when it was clicked.
    package var query: String?
    package var device = ExportedDevice()
    package var identity: Identity.ID?
    package var developerIdentity: String?
    package var session: Session.ID?
    /// The revenue of an event: in the app's currency, then in the report's spelling, then the currency of the report.
    package var revenue: Money?
    package var revenueText: String?
    package var currency: String?
    package var transactionID: String?
    /// The parameters of a session or the report of an event, as JSON.
    package var body: String?
    /// The parameters of the first session of the identity, as JSON.
    package var firstTouch: String?

    package init(id: Int64, kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

/// The device of a row; properties are nil if unknown.
package struct ExportedDevice: Sendable {
    package var id: Device.ID?
    package var os: String?
    package var osVersion: String?
    package var brand: String?
    package var model: String?
    package var browser: String?
    package var country: String?
    package var language: String?
    package var appVersion: String?
    package var sdk: String?
    package var environment: String?
    package var hardwareID: String?
    package var advertisingID: String?
    package var isBrowser = false
    /// The time of the first installation of the app on the device.
    package var installedAt: Timestamp?
    package var userAgent: String?
    package var referrer: String?
    /// The address in its stored form, see ``AddressPrivacy``.
    package var address: String?

    package init() {}
}

package protocol ExportReader {
    /// Returns the rows of a topic within the next page of its log, from after `id` through `last`, in the order of ids. At most one page
    /// is read, which bounds the memory used and the time that others wait.
    ///
    /// - Returns: the rows, and the last id examined, or `last` if there are no more rows.
    func exportRows(
        of topic: ExportTopic, _ projection: ExportRow.Projection, in scope: Scope, after id: Int64, through last: Int64,
        limit: ExportPageLimit
    ) throws -> (rows: [ExportRow], through: Int64)

    /// Returns the ids of the first and the last row of a topic's log after `id` through `last`, in all apps; nil if there are none.
    func exportEnds(of topic: ExportTopic, after id: Int64, through last: Int64) throws -> ClosedRange<Int64>?

    /// Returns the first id that is the last of the next `limit` rows of a log of some topics, or `last` if all have fewer.
    func exportPageEnd(of topics: [ExportTopic], after id: Int64, through last: Int64, limit: Int) throws -> Int64

    /// Returns the id after which each log of some topics has at most `limit` rows through `last`, the newest; `id` if none has more after
    /// that.
    func exportPageStart(of topics: [ExportTopic], after id: Int64, through last: Int64, limit: Int) throws -> Int64
}
