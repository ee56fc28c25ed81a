import LindenReporting

extension ExportedDevice {
    /// Whether a requested part may be only in the device's report. A column's cell does not depend on which other columns are requested.
    func needsReport(for projection: ExportRow.Projection) -> Bool {
        projection.contains(.body) || os == nil
            || projection.contains(.model) && (brand == nil || model == nil)
            || projection.contains(.deviceIDs) && (hardwareID == nil || advertisingID == nil)
    }

    static let columns: StaticString = """
        devices.os, devices.os_version, brand, model, devices.country, devices.language, app_version, sdk, environment, hardware_id, \
        advertising_id, is_browser, devices.id, identities.id, developer_identity, devices.browser, devices.installed_at, \
        devices.user_agent_id
        """
}

extension ExportRow {
    /// - Parameter column: the position of the first of ``ExportedDevice/columns``.
    mutating func setUser(
        _ row: any SQLRow, from column: Int, _ projection: Projection, _ strings: inout ExportedStrings
    ) throws {
        device.os = row.optionalText(column)
        device.osVersion = row.optionalText(column + 1)
        device.brand = row.optionalText(column + 2)
        device.model = row.optionalText(column + 3)
        device.country = row.optionalText(column + 4)
        device.language = row.optionalText(column + 5)
        device.appVersion = row.optionalText(column + 6)
        device.sdk = row.optionalText(column + 7)
        device.environment = row.optionalText(column + 8)
        device.hardwareID = row.optionalText(column + 9)
        device.advertisingID = row.optionalText(column + 10)
        device.isBrowser = row.bool(column + 11)
        device.id = row.optionalID(column + 12)
        identity = row.optionalID(column + 13)
        developerIdentity = row.optionalText(column + 14)
        device.browser = row.optionalText(column + 15)
        device.installedAt = row.optionalTime(column + 16)
        if projection.contains(.texts) { device.userAgent = try strings.text(row.optionalInteger(column + 17)) }
    }
}

/// A cache of long texts by their numbers in the string dictionary: many rows share a text, and each is looked up once.
struct ExportedStrings {
    private let connection: any SQLConnection
    private var texts: [Int64: String] = [:]

    init(_ connection: any SQLConnection) {
        self.connection = connection
    }

    mutating func text(_ id: Int64?) throws -> String? {
        guard let id else { return nil }
        if let text = texts[id] { return text }
        let text = try connection.first("SELECT value FROM strings WHERE id = \(id)") { $0.text(0) }
        texts[id] = text
        return text
    }
}
