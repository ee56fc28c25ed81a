import Linden
import LindenKernel
import LinkRouting

/// The columns of Branch's export before 2018 (Branch, "Data export API"). Times have no zone and are in UTC.
extension ExportColumn {
    static let oldNames: [ExportTopic: [String]] = [
        .links: expanded(
            """
            creation_timestamp link_id branch_identity_id channel feature campaign stage tags data creation_source alias domain url
            """),
        .clicks: expanded(
            """
            click_timestamp branch_link_click_id branch_browser_fingerprint_id os os_version model browser user_agent ip_address
            stage sms_from_desktop phone_number redirect_method link_creation_timestamp link_channel link_feature link_campaign
            link_stage link_tags link_data link_creation_source link_url link_branch_identity_id link_id query_params
            """),
        .events: expanded(
            """
            id name metadata timestamp branch_identity_id developer_identity identity_creation_timestamp branch_session_id
            app_version ip_address session_start_timestamp branch_device_fingerprint_id device_first_seen_timestamp device_os
            device_os_version device_metadata hardware_id google_advertising_id branch_browser_fingerprint_id
            browser_first_seen_timestamp browser_os browser_os_version user_agent
            """) + ["first", "session"].flatMap { touch in referringNames.map { "\(touch)_referring_\($0)" } },
    ]

    private static let referringNames = expanded(
        """
        click_timestamp click_query_params branch_identity_id developer_identity hardware_id branch_link_id link_creation_timestamp
        link_channel link_feature link_campaign link_stage link_tags link_data link_creation_source link_url click_id
        """)

    /// Returns nil for a column that is always empty.
    static func oldValue(_ name: String, of topic: ExportTopic) -> Value? {
        switch topic {
        case .links: linkValue(name)
        case .clicks:
            name.hasPrefix("link_") ? linkValue(String(name.dropFirst("link_".count))) ?? linkValue(name) : clickValue(name)
        default: activityValue(name)
        }
    }

    private static func linkValue(_ name: String) -> Value? {
        switch name {
        case "creation_timestamp": { ExportValue($0.link?.createdAt.withoutZone) }
        case "link_id": { ExportValue($0.row.link.map { String($0.rawValue) }) }
        case "branch_identity_id": { ExportValue($0.reference($0.link?.owner)) }
        case "channel": { ExportValue($0.link?.labels.channel) }
        case "feature": { ExportValue($0.link?.labels.feature) }
        case "campaign": { ExportValue($0.link?.labels.campaign) }
        case "stage": { ExportValue($0.link?.labels.stage) }
        case "tags": { $0.link.flatMap { $0.labels.tags.isEmpty ? nil : .json(JSON($0.labels.tags)) } ?? .none }
        case "data": { $0.link.map { .json(.object($0.data)) } ?? .none }
        case "creation_source": { $0.link.map { .integer($0.source.rawValue) } ?? .none }
        case "alias": { ExportValue($0.link.flatMap { $0.hasAlias ? $0.address.path : nil }) }
        case "domain": { ExportValue($0.linkURL.map { URLParts($0).host }) }
        case "url": { ExportValue($0.linkURL) }
        default: nil
        }
    }

    private static func clickValue(_ name: String) -> Value? {
        switch name {
        case "click_timestamp": { .text($0.time.withoutZone) }
        case "branch_link_click_id": { .text($0.publicID) }
        case "branch_browser_fingerprint_id": { ExportValue($0.reference($0.row.device.id)) }
        case "os": { ExportValue($0.row.device.os) }
        case "os_version": { ExportValue($0.row.device.osVersion) }
        case "model": { ExportValue($0.row.device.model) }
        case "browser": { ExportValue($0.browser) }
        case "user_agent": { ExportValue($0.row.device.userAgent) }
        case "ip_address": { ExportValue($0.address) }
        case "stage": { ExportValue($0.touch?.data["~stage"]) }
        case "query_params": { ExportValue($0.row.query) }
        default: nil
        }
    }

    private static func activityValue(_ name: String) -> Value? {
        switch name {
        case "id": { .text($0.publicID) }
        case "name": { .text($0.reportedName) }
        case "metadata": { $0.isSession ? .none : ExportValue($0.body["custom_data"] ?? $0.body["metadata"]) }
        case "timestamp": { .text($0.time.withoutZone) }
        case "branch_identity_id": { ExportValue($0.reference($0.row.identity)) }
        case "developer_identity": { ExportValue($0.row.developerIdentity) }
        case "identity_creation_timestamp": { ExportValue($0.row.identity?.time.withoutZone) }
        case "branch_session_id": { ExportValue($0.reference($0.row.session)) }
        case "session_start_timestamp": { ExportValue($0.row.session?.time.withoutZone) }
        case "app_version": { $0.device("app_version", $0.row.device.appVersion) }
        case "ip_address": { ExportValue($0.address) }
        case "hardware_id": { ExportValue($0.row.device.hardwareID) }
        case "google_advertising_id": { $0.os == "ANDROID" ? ExportValue($0.row.device.advertisingID) : .none }
        case "user_agent": { $0.device("user_agent", $0.row.device.userAgent) }
        default: deviceValue(name) ?? referringValue(name)
        }
    }

    /// Returns the value of a column about a device or browser. A browser that runs the Web SDK is a device as well.
    private static func deviceValue(_ name: String) -> Value? {
        let isBrowser = name.contains("browser")
        func value(_ value: @escaping Value) -> Value { { $0.row.device.isBrowser == isBrowser ? value($0) : .none } }
        return switch name {
        case "branch_device_fingerprint_id", "branch_browser_fingerprint_id": value { ExportValue($0.reference($0.row.device.id)) }
        case "device_first_seen_timestamp", "browser_first_seen_timestamp":
            value { ExportValue($0.row.device.id?.time.withoutZone) }
        case "device_os", "browser_os": value { ExportValue($0.row.device.os) }
        case "device_os_version", "browser_os_version": value { $0.device("os_version", $0.row.device.osVersion) }
        case "device_metadata":
            value { record in
                let known = [("brand", record.row.device.brand), ("model", record.row.device.model)].compactMap { key, text in
                    text.map { (key: key, value: JSON.string($0)) }
                }
                return known.isEmpty ? .none : .json(.object(JSONObject(known)))
            }
        default: nil
        }
    }

    private static func referringValue(_ name: String) -> Value? {
        if name.hasPrefix("first_referring_") {
            return referringValue(String(name.dropFirst("first_referring_".count))) { $0.firstTouch }
        }
        guard name.hasPrefix("session_referring_") else { return nil }
        let rest = String(name.dropFirst("session_referring_".count))
        switch rest {
        case "click_timestamp": return { $0.touch == nil ? .none : ExportValue($0.touchTime?.withoutZone) }
        case "click_query_params": return { ExportValue($0.row.query) }
        case "click_id": return { $0.touch == nil ? .none : ExportValue($0.clickID) }
        default: return referringValue(rest) { $0.touch?.data ?? [:] }
        }
    }

    /// Returns the value of a column about a link, as far as the parameters that it gave to a session include it.
    private static func referringValue(_ name: String, _ data: @escaping @Sendable (ExportRecord) -> JSONObject) -> Value? {
        let keys = [
            "branch_link_id": "~id", "link_channel": "~channel", "link_feature": "~feature", "link_campaign": "~campaign",
            "link_stage": "~stage", "link_tags": "~tags", "link_creation_source": "~creation_source", "link_url": "~referring_link",
        ]
        if let key = keys[name] { return { ExportValue(data($0)[key]) } }
        return switch name {
        case "click_timestamp":
            { record in
                guard let seconds = data(record)["+click_timestamp"]?.int64 else { return .none }
                let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1000)
                return isTooLarge ? .none : .text(Timestamp(milliseconds: milliseconds).withoutZone)
            }
        case "link_data":
            { record in
                let own = data(record).filter { key, _ in
                    key.utf8.first != UInt8(ascii: "+") && key.utf8.first != UInt8(ascii: "~")
                }
                return own.isEmpty ? .none : .json(.object(own))
            }
        default: nil
        }
    }
}

extension Timestamp {
    /// The time in UTC without a zone: `2026-11-21T08:30:00`.
    fileprivate var withoutZone: String { String(iso8601.prefix(19)) }
}
