import Linden
import LindenKernel
import LinkRouting

/// A row together with all data from which its columns are computed.
struct ExportRecord {
    let row: ExportRow
    let scope: Scope
    private let publicIDs: PublicIDs
    let time: Timestamp
    /// Nil also if no column needs it.
    let touch: ExportTouch?
    /// The parameters of a session or the report of an event.
    let body: JSONObject
    /// The user data in an event's report.
    let user: JSONObject
    let event: JSONObject
    /// Whether the row is from a browser.
    let isWeb: Bool
    /// Branch's name of the operating system, in upper case.
    let os: String?
    /// The link of the row and its address. Set only for the columns of Branch's former export.
    var link: Link?
    var linkURL: String?
    /// Nil if the app does not exist any more.
    var app: App?
    /// The currency of the row's revenue.
    var currency: Currency { app?.configuration.events.currency ?? .standard }
    /// The parameters of the first session of the row's identity.
    var firstTouch: JSONObject = [:]
    /// Nil unless addresses are stored and exported in clear.
    let address: String?

    init(
        _ row: ExportRow, in scope: Scope, body: JSONObject, touch: ExportTouch?, showsAddress: Bool, publicIDs: PublicIDs,
        visitors: VisitorCache
    ) {
        let report = ExportedReport(row.kind, body)
        var row = row
        isWeb = row.device.isBrowser || row.device.id == nil && report.isWeb
        if row.device.os == nil { report.complete(&row.device, isWeb: isWeb, visitors) }
        self.row = row
        self.scope = scope
        self.body = body
        self.touch = touch
        self.publicIDs = publicIDs
        time = IDGenerator.time(of: row.id)
        user = report.user
        event = report.event
        os = DeviceWords.os(row.device.os ?? user["os"]?.scalarText?.prefix(bytes: Self.longestWord))
        // A hash, or the mark of an erasure, does not parse as an address.
        let kept = showsAddress ? user["ip"]?.string ?? row.device.address : nil
        address = kept.flatMap { ClientAddress($0) == nil ? nil : $0 }
    }

    /// The row's id: a public id, or the number of a session's reference.
    var publicID: String {
        isSession
            ? publicIDs.referenceNumber(to: Session.ID(rawValue: row.id)) : publicIDs.string(for: Click.ID(rawValue: row.id))
    }

    /// The public id of the credited click.
    var clickID: String? { row.click.map { publicIDs.string(for: $0) } }

    /// Returns the number of a reference. Branch's columns of ids hold numbers.
    func reference<Entity: ReferencedEntity>(_ id: Identifier<Entity>?) -> String? { id.map { publicIDs.referenceNumber(to: $0) } }

    var name: String {
        switch row.kind {
        case .click: "CLICK"
        case .session(.install), .session(.fullAppConversion): "INSTALL"
        case .session(.reinstall): "REINSTALL"
        case .session(.web): "WEB_SESSION_START"
        case .session: "OPEN"
        case .event(let kind, let name): kind.exportedName(of: name)
        case .link: "LINK"
        }
    }

    /// The name in Branch's former export: in lower case for a session, and as reported for an event.
    var reportedName: String {
        switch row.kind {
        case .event(_, let name): name
        case .session: name.lowercased()
        default: name
        }
    }

    var isSession: Bool { if case .session = row.kind { true } else { false } }

    /// Whether a link or an ad is credited. A link with `$deeplink_no_attribution` is not: its session has a ``clickID``, but no touch.
    var isAttributed: Bool { row.link != nil || touch != nil }

    var touchTime: Timestamp? { row.link == nil ? nil : row.click?.time }

    /// Returns a property of the device that may change: the event's report takes precedence over the stored device.
    func device(_ key: String, _ known: String?) -> ExportValue {
        ExportValue(user[key]?.scalarText ?? known)
    }

    /// Returns a property of the device that does not change: the report is used only if the stored device lacks it.
    func lasting(_ key: String, _ known: String?) -> ExportValue {
        ExportValue(known ?? user[key]?.scalarText)
    }

    /// Returns an id that only devices of one system have; none for other systems. If the system is unknown, only the report is used.
    func deviceID(_ key: String, on system: String, _ known: String?) -> ExportValue {
        guard let os else { return lasting(key, nil) }
        return os == system ? lasting(key, known) : .none
    }

    var platform: String? { DeviceWords.platform(os: os, isBrowser: isWeb) }

    /// The name of the browser, or of the app with an in-app browser.
    var browser: String? {
        row.device.browser.map(BrowserNames.name)
    }

    /// What is read of a word that a client reports, in bytes: of the operating system, the SDK and the language.
    private static let longestWord = 255

    /// The version without the name of the SDK: `0.24.2` for `ios0.24.2`.
    var sdkVersion: String? {
        [user["sdk_version"]?.scalarText, user["sdk"]?.scalarText, row.device.sdk].lazy.compactMap { text in
            text.map { $0.prefix(bytes: Self.longestWord).drop { !$0.isNumber } }.flatMap { $0.isEmpty ? nil : String($0) }
        }.first
    }

    /// The language in upper case without its region: `EN`.
    var language: String? {
        (user["language"]?.scalarText ?? row.device.language)?.prefix(bytes: Self.longestWord).prefix { $0 != "-" && $0 != "_" }
            .uppercased()
    }

    /// Whether the identity was created before the row, according to the time in its id.
    var isExistingUser: ExportValue {
        row.identity.map { .bool($0.time < time) } ?? .none
    }

    /// The seconds since the app was first installed on the device; none if unknown.
    var secondsSinceInstall: ExportValue {
        guard let installedAt = row.device.installedAt, installedAt <= time else { return .none }
        return .integer((time.milliseconds - installedAt.milliseconds) / 1000)
    }

    /// Returns the time since the touch in whole units.
    ///
    /// - Parameter unit: the length of a unit in milliseconds.
    func sinceTouch(_ unit: Int64, atMost limit: Int64 = .max) -> ExportValue {
        guard let touchTime else { return .none }
        return .integer(min(max(0, time.milliseconds - touchTime.milliseconds) / unit, limit))
    }
}
