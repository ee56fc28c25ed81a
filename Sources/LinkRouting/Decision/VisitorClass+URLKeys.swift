extension VisitorClass {
    /// The keys of a link's pages for this visitor, most specific first (Branch's deep-link reference and Quick Links API). Two have a
    /// variant by country: `$ios_url_de` comes before `$ios_url`, likewise `$android_url`.
    var urlKeys: [String] {
        guard let country else { return deviceKeys }
        return deviceKeys.flatMap { key in
            ["$ios_url", "$android_url"].contains(key) ? [key + "_" + country.lowercased(), key] : [key]
        }
    }

    /// The keys of a link's pages for all platforms, most specific first.
    var fallbackKeys: [String] {
        guard let country else { return ["$fallback_url"] }
        return ["$fallback_url_" + country.lowercased(), "$fallback_url"]
    }

    private var deviceKeys: [String] {
        var keys: [String] = []
        switch platform {
        case .iOS:
            if hasApp == true { keys.append("$ios_has_app_url") }
            if isWeChat { keys.append("$ios_wechat_url") }
            if device == .iPad { keys.append("$ipad_url") }
            keys.append("$ios_url")
        case .android:
            if isWeChat { keys.append("$android_wechat_url") }
            switch (device, maker) {
            case (.fireTablet, _), (.fireTV, _): keys.append("$fire_url")
            case (_, .samsung): keys.append("$samsung_url")
            case (_, .huawei): keys.append("$huawei_url")
            default: break
            }
            keys.append("$android_url")
        case .desktop:
            switch device {
            case .windows: keys.append("$windows_desktop_url")
            case .mac: keys.append("$mac_desktop_url")
            case .windowsPhone: return ["$windows_phone_url"]
            case .blackBerry: return ["$blackberry_url"]
            case .harmony: keys.append("$huawei_url")
            default: break
            }
            keys.append("$desktop_url")
        }
        return keys
    }
}
