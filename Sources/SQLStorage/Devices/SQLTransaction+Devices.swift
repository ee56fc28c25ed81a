import Linden
import LindenKernel

extension SQLTransaction {
    package func device(_ id: Device.ID) throws -> Device? {
        try connection.first(Self.findDevice, { $0.bind(id) }, Device.init(row:))
    }

    private static let findDevice = StaticSQL("\(Device.selection) WHERE devices.id = $1")

    package func scope(of device: Device.ID) throws -> Scope? {
        try connection.first(Self.findScope, { $0.bind(device) }) { $0.scope(0) }
    }

    private static let findScope = StaticSQL("SELECT app_id, mode FROM devices WHERE id = $1")

    package func device(hardwareID: String, in scope: Scope) throws -> Device? {
        try connection.first(
            """
            \(raw: Device.selection)
            WHERE devices.app_id = \(scope.app) AND devices.mode = \(scope.mode) AND hardware_id = \(hardwareID)
            ORDER BY is_browser, hardware_since, devices.id LIMIT 1
            """, Device.init(row:))
    }

    package func deviceID(hardwareID: String, in scope: Scope) throws -> Device.ID? {
        try connection.first(
            Self.findDeviceByHardwareID,
            { values in
                values.bind(scope)
                values.bind(hardwareID)
            }
        ) { $0.id(0) }
    }

    private static let findDeviceByHardwareID = StaticSQL(
        "SELECT id FROM devices WHERE app_id = $1 AND mode = $2 AND hardware_id = $3 ORDER BY is_browser, hardware_since, id LIMIT 1"
    )

    package func firstApp(advertisingID: String, in scope: Scope) throws -> Device? {
        try connection.first(
            """
            \(raw: Device.selection)
            WHERE devices.app_id = \(scope.app) AND devices.mode = \(scope.mode) AND advertising_id = \(advertisingID)
                AND is_browser = 0
            ORDER BY advertising_since, devices.id LIMIT 1
            """, Device.init(row:))
    }

    package func identities(ofDevicesThatReported id: String, in scope: Scope) throws -> Set<Identity.ID> {
        var identities: Set<Identity.ID> = []
        for column: StaticString in ["hardware_id", "advertising_id"] {
            try connection.read(
                """
                SELECT identity_id FROM devices WHERE app_id = \(scope.app) AND mode = \(scope.mode) AND \(raw: column) = \(id)
                """
            ) { row in
                identities.insert(row.id(0))
                return true
            }
        }
        return identities
    }

    package func device(of user: Identity.ID, orLater: Bool) throws -> Device? {
        if let first = try firstDevice(of: user).flatMap({ try device($0) }), !first.isBrowser { return first }
        guard orLater else { return nil }
        return try connection.first(
            """
            \(raw: Device.selection)
            WHERE devices.identity_id = \(user) AND is_browser = 0 ORDER BY devices.id LIMIT 1
            """, Device.init(row:))
    }

    /// Returns the newest apps or browsers that have an identity.
    func devices(of user: Identity.ID, areBrowsers: Bool, limit: Int) throws -> [Device] {
        try connection.query(
            """
            \(raw: Device.selection) WHERE devices.identity_id = \(user) AND is_browser = \(areBrowsers)
            ORDER BY devices.id DESC LIMIT \(limit)
            """, Device.init(row:))
    }

    package func firstDevice(of user: Identity.ID) throws -> Device.ID? {
        try connection.first(Self.findFirstDevice, { $0.bind(user) }) { $0.optionalID(0) } ?? nil
    }

    private static let findFirstDevice = StaticSQL("SELECT first_device_id FROM identities WHERE id = $1")

    package func setFirstDevice(_ device: Device.ID, of user: Identity.ID) throws {
        try connection.execute("UPDATE identities SET first_device_id = \(device) WHERE id = \(user)")
    }

    /// Stores the first device of an identity, unless it has one.
    func keepFirstDevice(_ device: Device.ID, of user: Identity.ID) throws {
        try connection.execute(
            "UPDATE identities SET first_device_id = \(device) WHERE id = \(user) AND first_device_id IS NULL")
    }

    package func setLastTouch(_ click: Click.ID, device: Device.ID?, identity: Identity.ID?) throws {
        if let device {
            try connection.execute(Self.setDeviceTouch) { values in
                values.bind(click)
                values.bind(device)
            }
        }
        if let identity {
            try connection.execute(Self.setIdentityTouch) { values in
                values.bind(click)
                values.bind(identity)
            }
        }
    }

    private static let setDeviceTouch = StaticSQL("UPDATE devices SET last_click_id = $1 WHERE id = $2")
    private static let setIdentityTouch = StaticSQL("UPDATE identities SET last_click_id = $1 WHERE id = $2")

    package func appleAttributionToken(of device: Device.ID) throws -> String? {
        try connection.first("SELECT apple_attribution_token FROM devices WHERE id = \(device)") { $0.optionalText(0) } ?? nil
    }

    package func setAppleAttributionToken(_ token: String, of device: Device.ID) throws {
        try connection.execute("UPDATE devices SET apple_attribution_token = \(token) WHERE id = \(device)")
    }

    package func assign(_ identity: Identity.ID, to device: Device.ID) throws {
        try connection.execute("UPDATE devices SET identity_id = \(identity) WHERE id = \(device)")
        try keepFirstDevice(device, of: identity)
    }
}

extension Device {
    /// Devices with their identities.
    fileprivate static let selection: StaticString = """
        SELECT devices.id, devices.app_id, devices.mode, identity_id, hardware_id, os, os_version, brand, model, app_version, sdk, country,
            language, is_browser, advertising_id, environment, browser, installed_at, devices.last_click_id, users.id, users.app_id,
            users.mode, users.developer_identity, users.last_click_id
        FROM devices LEFT JOIN identities AS users ON users.id = devices.identity_id
        """

    fileprivate init(row: any SQLRow) {
        self.init(
            id: row.id(0), scope: row.scope(1), identity: row.id(3), isBrowser: row.bool(13),
            installedAt: row.optionalTime(17),
            description: DeviceDescription(
                hardwareID: row.optionalText(4), advertisingID: row.optionalText(14), os: row.optionalText(5),
                osVersion: row.optionalText(6),
                brand: row.optionalText(7), model: row.optionalText(8), appVersion: row.optionalText(9), sdk: row.optionalText(10),
                country: row.optionalText(11), language: row.optionalText(12),
                environment: row.optionalText(15).flatMap(AppEnvironment.init), browser: row.optionalText(16)),
            user: row.isNull(19) ? nil : Identity(row: row, from: 19), lastClick: row.optionalID(18))
    }
}
