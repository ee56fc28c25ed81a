import Linden
import LinkRouting

/// What only the Android SDK does.
enum AndroidQuirks {
    /// The release, as browsers name it. The SDK sends the API level as a number in `os_version`; newer ones the release beside it.
    static func osVersion(_ body: RequestFields) -> String? {
        if let release = body.text("os_version_android") { return OSVersion.normalized(release) }
        guard let text = body.text("os_version") else { return nil }
        // No release was ever numbered as high as the first API level anyone still runs.
        if let level = Int(text), level > 20 { return releases[level] ?? String(level - 20) }
        return OSVersion.normalized(text)
    }

    /// The advertising id of Google, Huawei or Amazon.
    static func advertisingID(_ body: RequestFields) -> String? {
        if let google = body.text("google_advertising_id") { return google }
        guard let ids = body["advertising_ids"]?.object.map(RequestFields.init) else { return nil }
        return ids.text("aaid", "oaid", "fire_ad_id")
    }

    /// API level → release (https://apilevels.com), from Android 5 on.
    private static let releases: [Int: String] = [
        21: "5", 22: "5.1", 23: "6", 24: "7", 25: "7.1", 26: "8", 27: "8.1", 28: "9", 29: "10", 30: "11", 31: "12", 32: "12",
        33: "13",
        34: "14", 35: "15", 36: "16",
    ]
}
