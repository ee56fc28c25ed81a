import LinkRouting

/// A row of a log as it is exported: what is stored of it and of the device and user it is about.
package struct ExportRow: Sendable {
    package enum Kind: Sendable {
        case click
        case session(Session.Kind)
        case event(EventKind, name: String)
        case link
    }

    /// What is slow to read, and read only where it is exported.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// What was reported. It is also read where nothing is known of the device.
        package static let body = Parts(rawValue: 1)
        /// What a click's user agent and referrer say.
        package static let texts = Parts(rawValue: 2)
        /// What it is credited to.
        package static let touch = Parts(rawValue: 4)
        /// What the user's first session was credited to.
        package static let firstTouch = Parts(rawValue: 8)
        /// What was reported, where brand or model of the device are not known.
        package static let model = Parts(rawValue: 16)
        /// What was reported, where an id of the device is not known.
        package static let deviceIDs = Parts(rawValue: 32)
        package static let all: Parts = [.body, .texts, .touch, .firstTouch]
    }

    package let id: Int64
    package let kind: Kind
    /// What it is credited to: a click itself, else the click and link behind it; of a link, itself.
    package var click: Click.ID?
    package var link: Link.ID?
    /// What was appended to the link when it was clicked.
    package var query: String?
    package var device = ExportedDevice()
    package var identity: Identity.ID?
    package var developerIdentity: String?
    package var session: Session.ID?
    /// Of an event, in the app's currency; as it was written; and the currency it was in.
    package var revenue: Money?
    package var revenueText: String?
    package var currency: String?
    package var transactionID: String?
    /// The parameters of a session or the report of an event, as JSON.
    package var body: String?
    /// The parameters of the user's first session, as JSON.
    package var firstTouch: String?

    package init(id: Int64, kind: Kind) {
        self.id = id
        self.kind = kind
    }
}

/// What a row tells of the device; nil for what is not known.
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
    /// When the app was first installed on it.
    package var installedAt: Timestamp?
    package var userAgent: String?
    package var referrer: String?
    /// As it is kept, see ``AddressPrivacy``.
    package var address: String?

    package init() {}
}

package protocol ExportReader {
    /// The rows of a topic among the next rows of its log after one id up to another, in the order of ids. Reads at most a page, so that
    /// the memory it takes and the time that others wait are bounded.
    ///
    /// - Returns: the rows, and how far they reach: to the last id looked at, or to `last` if there is no more.
    func exportRows(
        of topic: ExportTopic, _ parts: ExportRow.Parts, in scope: Scope, after id: Int64, through last: Int64,
        limit: ExportPageLimit
    ) throws -> (rows: [ExportRow], through: Int64)

    /// The ids of the first and the last row of a topic's log after one id up to another, whosever those rows are; nil if there are none.
    func exportEnds(of topic: ExportTopic, after id: Int64, through last: Int64) throws -> ClosedRange<Int64>?

    /// How far the next `limit` rows of a topic's log reach: to the last one's id, or to `last` if there are fewer.
    func exportPageEnd(of topic: ExportTopic, after id: Int64, through last: Int64, limit: Int) throws -> Int64
}
