import LinkRouting

/// A row with all that its columns are made of.
struct ExportRecord {
    let row: ExportRow
    let scope: Scope
    private let publicIDs: PublicIDs
    let time: Timestamp
    /// Nil also where no column needs it.
    let touch: ExportTouch?
    /// A session's parameters or an event's report.
    let body: JSONObject
    /// What an event says of its user and device.
    let user: JSONObject
    let event: JSONObject
    /// Whether it happened in a browser.
    let isWeb: Bool
    /// Upper case, as Branch writes it.
    let os: String?
    /// The link that the row is about, with its address. Only the columns of old ask for it.
    var link: Link?
    var linkURL: String?
    /// Nil where it is gone.
    var app: App?
    /// In which the row's revenue is.
    var currency: Currency { app?.configuration.events.currency ?? .standard }
    /// The parameters of the user's first session.
    var firstTouch: JSONObject = [:]
    /// Nil unless addresses are kept and handed out as they are.
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
        os = DeviceWords.os(row.device.os ?? user["os"]?.scalarText)
        // A hash, or the mark of an erasure, is no address.
        let kept = showsAddress ? user["ip"]?.string ?? row.device.address : nil
        address = kept.flatMap { ClientAddress($0) == nil ? nil : $0 }
    }

    /// The row's id as SDKs know it.
    var publicID: String { publicIDs.string(for: Click.ID(rawValue: row.id)) }

    /// The click that a row is credited to, as SDKs know it.
    var clickID: String? { string(row.click) }

    func string<Entity>(_ id: Identifier<Entity>?) -> String? { id.map { publicIDs.string(for: $0) } }

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

    /// The same as Branch's former export has it: lower case for a session, and for an event as it was reported.
    var reportedName: String {
        switch row.kind {
        case .event(_, let name): name
        case .session: name.lowercased()
        default: name
        }
    }

    var isSession: Bool { if case .session = row.kind { true } else { false } }

    /// Whether a link or an ad is credited with the row. A click of a link that asks for no credit is known, too, but is no touch.
    var isAttributed: Bool { row.link != nil || touch != nil }

    var touchTime: Timestamp? { row.link == nil ? nil : row.click?.time }

    /// What may change: what an event says of its user's device beats what is known of the device.
    func device(_ key: String, _ known: String?) -> ExportValue {
        ExportValue(user[key]?.scalarText ?? known)
    }

    /// What does not change: only of unknown devices an event has more to tell.
    func lasting(_ key: String, _ known: String?) -> ExportValue {
        ExportValue(known ?? user[key]?.scalarText)
    }

    /// The same of an id that only devices of one system have.
    func deviceID(_ key: String, on system: String, _ known: String?) -> ExportValue {
        guard let os else { return lasting(key, nil) }
        return os == system ? lasting(key, known) : .none
    }

    var platform: String? { DeviceWords.platform(os: os, isBrowser: isWeb) }

    /// The browser, or the app that shows the page in a browser of its own.
    var browser: String? {
        row.device.browser.map(BrowserNames.name)
    }

    /// The number alone: `0.24.2` of `ios0.24.2`.
    var sdkVersion: String? {
        [user["sdk_version"]?.scalarText, user["sdk"]?.scalarText, row.device.sdk].lazy.compactMap { text in
            text.map { $0.drop { !$0.isNumber } }.flatMap { $0.isEmpty ? nil : String($0) }
        }.first
    }

    /// Upper case, without its region: `EN`.
    var language: String? {
        (user["language"]?.scalarText ?? row.device.language)?.prefix { $0 != "-" && $0 != "_" }.uppercased()
    }

    /// Whether the user was known before this happened: ids carry the time at which they were made.
    var isExistingUser: ExportValue {
        row.identity.map { .truth($0.time < time) } ?? .none
    }

    /// Whole seconds since the app was first installed on the device.
    var secondsSinceInstall: ExportValue {
        guard let installedAt = row.device.installedAt, installedAt <= time else { return .none }
        return .integer((time.milliseconds - installedAt.milliseconds) / 1000)
    }

    /// Whole units from the touch to the event.
    func sinceTouch(_ unit: Int64, atMost limit: Int64 = .max) -> ExportValue {
        guard let touchTime else { return .none }
        return .integer(min(max(0, time.milliseconds - touchTime.milliseconds) / unit, limit))
    }
}
