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
            row.bind(device.isBrowser ? Int64(1) : 0)
            row.bind(reported.advertisingID)
            row.bind(reported.environment?.rawValue)
            row.bind(reported.browser)
            row.bind(userAgent)
            row.bind(device.installedAt?.milliseconds)
            row.bind(time.milliseconds)
            row.bind(time.milliseconds)
            row.bind(reported.screen?.text)
            row.bind(device.site)
            row.bind(lastClick?.rawValue)
        }
    }

    private static let insertDevice = StaticSQL(
        insertInto: "devices",
        """
        id, app_id, mode, identity_id, hardware_id, os, os_version, brand, model, app_version, sdk, country, language, is_browser,
        advertising_id, environment, browser, user_agent_id, installed_at, first_seen_at, last_seen_at, screen, site,
        last_click_id
        """,
        "ON CONFLICT (id) DO NOTHING")

    package func update(_ device: Device, at time: Timestamp) throws {
        let reported = device.description
        let userAgent = try stringID(.userAgent, reported.userAgent, from: StringSource(device))
        try connection.execute(Self.updateDevice) { row in
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
            row.bind(reported.advertisingID)
            row.bind(reported.environment?.rawValue)
            row.bind(reported.browser)
            row.bind(userAgent)
            row.bind(device.installedAt?.milliseconds)
            row.bind(reported.screen?.text)
            row.bind(time.milliseconds)
            row.bind(device.id.rawValue)
        }
    }

    /// What a device did not report stays, and so does the time of its first install.
    private static let updateDevice = StaticSQL(
        """
        UPDATE devices SET identity_id = $1, hardware_id = COALESCE($2, hardware_id), os = COALESCE($3, os),
            os_version = COALESCE($4, os_version), brand = COALESCE($5, brand), model = COALESCE($6, model),
            app_version = COALESCE($7, app_version), sdk = COALESCE($8, sdk), country = COALESCE($9, country),
            language = COALESCE($10, language), advertising_id = COALESCE($11, advertising_id),
            environment = COALESCE($12, environment), browser = COALESCE($13, browser),
            user_agent_id = COALESCE($14, user_agent_id), installed_at = COALESCE(installed_at, $15), screen = COALESCE($16, screen),
            last_seen_at = $17
        WHERE id = $18
        """)
}
