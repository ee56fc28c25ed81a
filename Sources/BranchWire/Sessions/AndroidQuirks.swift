import Linden
import LindenKernel
import LinkRouting

/// Parsing that is specific to the Android SDK.
enum AndroidQuirks {
    /// Returns the login state that the `user_data` of an event reports; nil for SDKs that report it elsewhere.
    ///
    /// From 5.9 on the SDK has no call for a login or logout, and its opens after a restart have no developer identity. Its events always
    /// do: the identity, or `bnc_no_value` if no identity is logged in. No other SDK sends that value, so it is also accepted from an event
    /// without an SDK version.
    static func loginState(_ userData: RequestFields) -> LoginState? {
        guard let identity = userData["developer_identity"] else { return nil }
        let sdk = SDKVersion(userData)
        let reportsLogin = sdk.family == .android && sdk >= (5, 9)
        if identity == "bnc_no_value" { return reportsLogin || sdk.text == nil ? .loggedOut : nil }
        return reportsLogin && userData.text("developer_identity") != nil ? .loggedIn : nil
    }

    /// Returns the Android release, as browsers report it. The SDK sends the API level as a number in `os_version`; newer ones add the
    /// release.
    static func osVersion(_ body: RequestFields) -> String? {
        if let release = body.shortText("os_version_android") { return OSVersion.normalized(release) }
        guard let text = body.shortText("os_version") else { return nil }
        if let level = AndroidRelease.level(text) { return AndroidRelease.name(ofLevel: level) ?? String(level - 20) }
        return OSVersion.normalized(text)
    }

    /// Returns the advertising id of Google, Huawei or Amazon.
    static func advertisingID(_ body: RequestFields) -> String? {
        if let google = body.text("google_advertising_id") { return google }
        guard let ids = body["advertising_ids"]?.object.map(RequestFields.init) else { return nil }
        return ids.text("aaid", "oaid", "fire_ad_id")
    }
}
