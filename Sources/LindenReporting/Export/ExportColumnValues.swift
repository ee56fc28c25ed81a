import Linden
import LindenKernel

extension ExportColumn {
    /// Returns the projection that a column needs, unless its value is that of the touch. Only parts that are slow to read are included.
    static func projection(_ name: String) -> ExportRow.Projection {
        switch name {
        case "id", "name", "timestamp", "timestamp_iso", "event_timestamp", "origin", "app_id", "app_name", "hash_version": []
        case "user_data_os", "user_data_browser", "user_data_platform", "user_data_developer_identity": []
        case "existing_user", "seconds_from_install_to_event": []
        case "user_data_brand", "user_data_model": .model
        case "user_data_aaid", "user_data_idfa", "user_data_android_id", "user_data_idfv": .deviceIDs
        case "event_data_revenue", "event_data_revenue_in_usd", "event_data_revenue_in_local_currency", "event_data_local_currency",
            "event_data_currency", "event_data_transaction_id":
            []
        case "match_guaranteed": [.touch, .body]
        case _ where name.contains("last_attributed_touch") || name == "attributed": .touch
        case "user_data_user_agent", "user_data_http_referrer": [.texts, .body]
        default: .body
        }
    }

    /// Returns the value of one of Branch's columns for a row; nil for a column that is always empty.
    static func value(_ name: String) -> Value? {
        switch name {
        case "id": { .text($0.publicID) }
        case "name": { .text($0.name) }
        case "timestamp": { .integer($0.time.milliseconds) }
        case "timestamp_iso": { .time($0.time) }
        case "event_timestamp": { .integer($0.time.milliseconds) }
        case "origin": { _ in .text("BRANCH") }
        case "app_id": { .text(String($0.scope.app.rawValue)) }
        case "app_name": { ExportValue($0.app?.name) }
        // No exported value is hashed; addresses stored as hashes are left out.
        case "hash_version": { _ in .text("UNHASHED") }
        case "existing_user": { $0.isExistingUser }
        case "seconds_from_install_to_event": { $0.secondsSinceInstall }
        case "deep_linked": { $0.isSession ? ExportValue($0.body["+clicked_branch_link"]) : .none }
        case "first_event_for_user": { $0.isSession ? ExportValue($0.body["+is_first_session"]) : .none }
        case "match_guaranteed": { $0.touch == nil ? .none : ExportValue($0.body["+match_guaranteed"]) }
        default: touchValue(name) ?? userValue(name) ?? reportedValue(name)
        }
    }

    private static func touchValue(_ name: String) -> Value? {
        switch name {
        case "attributed": { .bool($0.isAttributed) }
        case "last_attributed_touch_type": { $0.isAttributed ? .text("CLICK") : .none }
        case "last_attributed_touch_timestamp": { $0.touchTime.map { .integer($0.milliseconds) } ?? .none }
        case "last_attributed_touch_timestamp_iso": { $0.touchTime.map { .time($0) } ?? .none }
        case "last_attributed_touch_data_custom_fields": { $0.touch?.customFields ?? .none }
        case "last_attributed_touch_data_plus_touch_id": { $0.touch == nil ? .none : ExportValue($0.clickID) }
        case "days_from_last_attributed_touch_to_event": { $0.sinceTouch(86_400_000) }
        case "hours_from_last_attributed_touch_to_event": { $0.sinceTouch(3_600_000, atMost: 24) }
        case "minutes_from_last_attributed_touch_to_event": { $0.sinceTouch(60_000, atMost: 60) }
        case "seconds_from_last_attributed_touch_to_event": { $0.sinceTouch(1000, atMost: 60) }
        default: nil
        }
    }

    private static func userValue(_ name: String) -> Value? {
        switch name {
        case "user_data_os": { ExportValue($0.os) }
        case "user_data_os_version": { $0.device("os_version", $0.row.device.osVersion) }
        case "user_data_brand": { $0.lasting("brand", $0.row.device.brand) }
        case "user_data_model": { $0.lasting("model", $0.row.device.model) }
        case "user_data_browser": { ExportValue($0.browser) }
        case "user_data_geo_country_code": { $0.device("country", $0.row.device.country) }
        case "user_data_language": { ExportValue($0.language) }
        case "user_data_app_version": { $0.device("app_version", $0.row.device.appVersion) }
        case "user_data_sdk_version": { ExportValue($0.sdkVersion) }
        case "user_data_environment":
            { $0.device("environment", $0.row.device.environment ?? ($0.isWeb ? "FULL_WEB" : nil)) }
        case "user_data_platform": { ExportValue($0.platform) }
        case "user_data_aaid": { $0.deviceID("aaid", on: "ANDROID", $0.row.device.advertisingID) }
        case "user_data_idfa": { $0.deviceID("idfa", on: "IOS", $0.row.device.advertisingID) }
        case "user_data_android_id": { $0.deviceID("android_id", on: "ANDROID", $0.row.device.hardwareID) }
        case "user_data_idfv": { $0.deviceID("idfv", on: "IOS", $0.row.device.hardwareID) }
        // Signals of consent, as the SDK reported them with the event.
        case "user_data_limit_ad_tracking": { ExportValue($0.user["limit_ad_tracking"]) }
        case "user_data_opted_in_status": { ExportValue($0.user["opted_in_status"]) }
        case "user_data_cpp_level": { ExportValue($0.user["cpp_level"]) }
        case "user_data_user_agent": { $0.device("user_agent", $0.row.device.userAgent) }
        case "user_data_http_referrer": { $0.device("http_referrer", $0.row.device.referrer) }
        case "user_data_ip": { ExportValue($0.address) }
        case "user_data_developer_identity": { ExportValue($0.row.developerIdentity) }
        case "user_data_screen_width": { ExportValue($0.user["screen_width"]) }
        case "user_data_screen_height": { ExportValue($0.user["screen_height"]) }
        default: nil
        }
    }

    /// Returns the value of a column from the report of an event.
    private static func reportedValue(_ name: String) -> Value? {
        switch name {
        case "custom_data": { $0.isSession ? .none : ExportValue($0.body["custom_data"] ?? $0.body["metadata"]) }
        case "content_items": { $0.isSession ? .none : ExportValue($0.body["content_items"]) }
        case "customer_event_alias": { $0.isSession ? .none : ExportValue($0.body["customer_event_alias"]) }
        case "request_id": { $0.isSession ? .none : ExportValue($0.body["branch_sdk_request_unique_id"]) }
        case "event_data_revenue": { $0.reportedRevenue }
        case "event_data_revenue_in_usd": { $0.revenue(in: .standard) }
        case "event_data_revenue_in_local_currency": { $0.revenue(in: $0.currency) }
        case "event_data_local_currency": { $0.row.revenue == nil ? .none : .text($0.currency.code) }
        case "event_data_currency": { ExportValue($0.row.currency) }
        case "event_data_transaction_id": { ExportValue($0.row.transactionID) }
        // Amounts are converted at the operator's rate, whatever rate a report states, so these columns stay empty.
        case "event_data_exchange_rate", "event_data_local_currency_exchange_rate": nil
        case _ where name.hasPrefix("event_data_"):
            { [key = String(name.dropFirst("event_data_".count))] in ExportValue($0.event[key]) }
        default: nil
        }
    }
}

extension ExportRecord {
    /// Revenue in the spelling of the report, which usually is a number. White space around a number is not written: a line end would end the
    /// row of a table.
    fileprivate var reportedRevenue: ExportValue {
        guard let text = row.revenueText else { return .none }
        switch try? JSON.parse(text, within: .untrusted) {
        case .integer(let number): return .decimal(String(number))
        case .decimal(let number): return .decimal(number)
        default: return ExportValue(text)
        }
    }

    /// Returns the revenue as converted on arrival; none if it was converted to another currency.
    fileprivate func revenue(in currency: Currency) -> ExportValue {
        guard currency == self.currency, let revenue = row.revenue else { return .none }
        return .decimal(revenue.text)
    }
}
