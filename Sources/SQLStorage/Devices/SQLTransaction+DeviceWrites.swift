import Linden
import LindenKernel

extension SQLTransaction {
    package func insert(_ device: Device, at time: Timestamp) throws {
        try insertRow(of: device, at: time)
        try keepFirstDevice(device.id, of: device.identity)
    }

    /// Inserts a device that its identity names already.
    func insertRow(of device: Device, lastClick: Click.ID? = nil, at time: Timestamp) throws {
        try connection.execute(Self.insertDevice, try values(of: device, lastClick: lastClick, at: time))
    }

    package func insertUnlessTaken(_ device: Device, at time: Timestamp) throws -> Bool {
        guard try connection.changedRows(by: Self.insertDevice, try values(of: device, at: time)) > 0 else { return false }
        try keepFirstDevice(device.id, of: device.identity)
        return true
    }

    /// The values of a new row.
    private func values(of device: Device, lastClick: Click.ID? = nil, at time: Timestamp) throws -> (any SQLBindings) -> Void {
        let reported = device.description
        let userAgent = try stringID(.userAgent, reported.userAgent, from: StringSource(device))
        return { row in
            row.bind(device.id.rawValue)
            row.bind(device.scope.app.rawValue)
            row.bind(device.scope.mode.rawValue)
            row.bind(device.identity.rawValue)
            row.bind(reported.hardwareID)
            row.bind(reported.os)
            row.bind(reported.osVersion)
            row.bind(reported.brand)
            row.bind(reported.model)
            row.bind(reported.appVersion)
            row.bind(reported.sdk)
            row.bind(reported.country)
            row.bind(reported.language)
            row.bind(device.isBrowser)
            row.bind(reported.advertisingID)
            row.bind(reported.environment?.rawValue)
            row.bind(reported.browser)
            row.bind(userAgent)
            row.bind(device.installedAt?.milliseconds)
            // When it was seen first and last, and since when it has its ids.
            for _ in 0..<4 { row.bind(time.milliseconds) }
            row.bind(reported.screen?.text)
            row.bind(device.site)
            row.bind(lastClick?.rawValue)
        }
    }

    private static let insertDevice = StaticSQL(
        insertInto: "devices",
        """
        id, app_id, mode, identity_id, hardware_id, os, os_version, brand, model, app_version, sdk, country, language, is_browser,
        advertising_id, environment, browser, user_agent_id, installed_at, first_seen_at, last_seen_at, hardware_since, advertising_since,
        screen, site, last_click_id
        """,
        "ON CONFLICT (id) DO NOTHING")

    /// Most devices report nothing new, so indexed columns are written only if they change: SQLite writes their indexes even if they do not.
    package func update(_ device: Device, from known: Device, at time: Timestamp) throws {
        let reported = device.description
        let userAgent = try stringID(.userAgent, reported.userAgent, from: StringSource(device))
        try connection.execute(Self.updateDevice) { row in
            row.bind(reported.os)
            row.bind(reported.osVersion)
            row.bind(reported.brand)
            row.bind(reported.appVersion)
            row.bind(reported.sdk)
            row.bind(reported.country)
            row.bind(reported.language)
            row.bind(reported.environment?.rawValue)
            row.bind(reported.browser)
            row.bind(userAgent)
            row.bind(device.installedAt?.milliseconds)
            row.bind(reported.screen?.text)
            row.bind(time.milliseconds)
            row.bind(device.id.rawValue)
        }
        guard device.changesIndexedColumns(of: known) else { return }
        try connection.execute(Self.updateIndexedColumns) { row in
            row.bind(device.identity.rawValue)
            row.bind(reported.hardwareID)
            row.bind(time.milliseconds)
            row.bind(reported.advertisingID)
            row.bind(reported.model)
            row.bind(device.id.rawValue)
        }
    }

    /// What a device did not report stays, and so does the time of its first install.
    private static let updateDevice = StaticSQL(
        """
        UPDATE devices SET os = COALESCE($1, os), os_version = COALESCE($2, os_version), brand = COALESCE($3, brand),
            app_version = COALESCE($4, app_version), sdk = COALESCE($5, sdk), country = COALESCE($6, country),
            language = COALESCE($7, language), environment = COALESCE($8, environment), browser = COALESCE($9, browser),
            user_agent_id = COALESCE($10, user_agent_id), installed_at = COALESCE(installed_at, $11), screen = COALESCE($12, screen),
            last_seen_at = $13
        WHERE id = $14
        """)

    private static let updateIndexedColumns = StaticSQL(
        """
        UPDATE devices SET identity_id = $1, hardware_id = COALESCE($2, hardware_id),
            hardware_since = CASE WHEN COALESCE($2, '') IN ('', hardware_id) THEN hardware_since ELSE $3 END,
            advertising_id = COALESCE($4, advertising_id),
            advertising_since = CASE WHEN COALESCE($4, '') IN ('', advertising_id) THEN advertising_since ELSE $3 END,
            model = COALESCE($5, model)
        WHERE id = $6
        """)
}

extension Device {
    /// Whether an update of a device by this one changes a column that an index contains.
    fileprivate func changesIndexedColumns(of known: Device) -> Bool {
        let (new, old) = (description, known.description)
        return identity != known.identity || Self.isChanged(old.hardwareID, by: new.hardwareID)
            || Self.isChanged(old.model, by: new.model) || Self.isChanged(old.advertisingID, by: new.advertisingID)
    }

    /// Compares bytes, as the database does.
    private static func isChanged(_ known: String?, by reported: String?) -> Bool {
        guard let reported else { return false }
        return known.map { !$0.hasSameBytes(as: reported) } ?? true
    }
}
