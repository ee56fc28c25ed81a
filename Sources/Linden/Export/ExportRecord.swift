import LinkRouting

/// A row with all that its columns are made of.
struct ExportRecord {
    let row: ExportRow
    let scope: Scope
    private let publicIDs: PublicIDs
    let time: Timestamp
    let touch: ExportTouch?
    let touchTime: Timestamp?
    /// A session's parameters or an event's report.
    let body: JSONObject
    let user: JSONObject
    let event: JSONObject
    /// Nil unless addresses are kept and handed out as they are.
    let address: String?

    init(
        _ row: ExportRow, in scope: Scope, body: JSONObject, touch: ExportTouch?, showsAddress: Bool, publicIDs: PublicIDs
    ) {
        self.row = row
        self.scope = scope
        self.body = body
        self.touch = touch
        self.publicIDs = publicIDs
        time = IDGenerator.time(of: row.id)
        if case .event = row.kind {
            touchTime = row.click?.time
            user = body["user_data"]?.object ?? [:]
            event = body["event_data"]?.object ?? body["commerce_data"]?.object ?? [:]
        } else {
            touchTime = touch == nil ? nil : row.click?.time
            user = [:]
            event = [:]
        }
        // A hash, or the mark of an erasure, is no address.
        let kept = user["ip"]?.string ?? row.device.address
        address = showsAddress ? kept.flatMap { ClientAddress($0) == nil ? nil : $0 } : nil
    }

    /// The row's id as SDKs know it.
    var publicID: String { publicIDs.string(for: Click.ID(rawValue: row.id)) }

    /// The click that a row is credited to, as SDKs know it.
    var clickID: String? { row.click.map { publicIDs.string(for: $0) } }

    var name: String {
        switch row.kind {
        case .click: "CLICK"
        case .session(.install), .session(.fullAppConversion): "INSTALL"
        case .session(.reinstall): "REINSTALL"
        case .session(.web): "WEB_SESSION_START"
        case .session: "OPEN"
        case .event(let name, _): name
        }
    }

    var isSession: Bool { if case .session = row.kind { true } else { false } }

    /// What a user's device says in an event beats what is known of the device.
    func device(_ key: String, _ known: String?) -> ExportValue {
        ExportValue(user[key]?.scalarText ?? known)
    }

    var os: String? {
        switch user["os"]?.scalarText ?? row.device.os {
        case nil, "": nil
        case "macOS": "MAC_OS"
        case let os?: os.uppercased()
        }
    }

    var platform: String? {
        guard let os else { return row.device.isBrowser ? "DESKTOP_WEB" : nil }
        guard row.device.isBrowser else { return os + "_APP" }
        return os == "IOS" || os == "ANDROID" ? os + "_WEB" : "DESKTOP_WEB"
    }

    /// Whole units from the touch to the event.
    func sinceTouch(_ unit: Int64, atMost limit: Int64 = .max) -> ExportValue {
        guard let touchTime else { return .none }
        return .integer(min(max(0, time.milliseconds - touchTime.milliseconds) / unit, limit))
    }
}
