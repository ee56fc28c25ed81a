import LinkRouting

/// An app's settings under Branch's names (`GET|PUT /v1/app/<branch_key>`), kept as they were sent.
///
/// Settings that Linden does not act on are kept and given back, so that a configuration can be moved here whole.
package struct AppConfiguration: Sendable, Equatable {
    package var values: JSONObject

    package init(_ values: JSONObject = [:]) {
        self.values = values
    }

    package subscript(key: String) -> String? {
        guard let text = values[key]?.scalarText, !text.isEmpty else { return nil }
        return text
    }

    /// The part of the settings that decides where a click leads.
    package var routing: AppSettings {
        AppSettings(
            ios: .init(
                uriScheme: scheme("ios_uri_scheme"),
                storeURL: self["ios_app_store_id"].map { "https://apps.apple.com/app/id\($0)" },
                customURL: self["ios_url"], showsDeepview: isOn("deepview_ios", default: false)
            ),
            android: .init(
                uriScheme: scheme("android_uri_scheme"), packageName: self["android_package_name"],
                storeURL: self["android_package_name"].map { "https://play.google.com/store/apps/details?id=\($0)" },
                customURL: self["android_url"], showsDeepview: isOn("deepview_android", default: false)
            ),
            desktop: .init(
                uriScheme: scheme("desktop_uri_scheme"), customURL: self["default_desktop_url"],
                showsDeepview: isOn("deepview_desktop", default: false)
            ),
            defaultURL: self["web_url"], fireURL: self["fire_url"], windowsPhoneURL: self["windows_phone_url"],
            blackBerryURL: self["blackberry_url"], alwaysOpensApp: isOn("always_open_app", default: true),
            uriRedirectMode: URIRedirectMode(self["uri_redirect_mode"]),
            redirectHosts: redirectAllowlist.isEmpty ? nil : RedirectHosts(redirectAllowlist),
            passesLabelsOn: isOn("utm_mapping", default: true)
        )
    }

    /// The hosts that links may lead to (`redirect_allowlist`), a list or a text with commas.
    private var redirectAllowlist: [String] { AppConfiguration.hosts(values["redirect_allowlist"]) }

    /// A switch, or a template's name, which is as good as a switch that is on.
    private func isOn(_ key: String, default standard: Bool) -> Bool {
        self[key].map { !["false", "0", "no"].contains($0.lowercased()) } ?? standard
    }

    private func scheme(_ key: String) -> String? {
        self[key].map { String($0.prefix { $0 != ":" }) }
    }

    /// The same settings with some replaced; null removes one.
    package func merging(_ changes: JSONObject) throws -> AppConfiguration {
        var merged = self
        for (key, value) in changes {
            if value.isNull {
                merged.values[key] = nil
            } else {
                merged.values[key] = try AppConfiguration.checked(value, for: key)
            }
        }
        return merged
    }
}

extension AppConfiguration {
    private static let urls: Set<String> = [
        "android_url", "ios_url", "fire_url", "windows_phone_url", "blackberry_url", "web_url", "default_desktop_url",
        "og_image_url", "pages.icon_url",
    ]
    private static let schemes: Set<String> = ["ios_uri_scheme", "android_uri_scheme", "desktop_uri_scheme"]
    private static let switches = CreditSettings.switches.union(fraudSwitches).union([
        "links.sitemap", "links.expire_with_content", EventSettings.uniqueTransactionsSetting,
    ])
    private static let colors: Set<String> = ["pages.color", "pages.background_color"]

    /// Strings are at most 255 characters (Branch's app configuration); URLs and schemes must be ones.
    private static func checked(_ value: JSON, for key: String) throws -> JSON {
        if key == "sha256_cert_fingerprints" { return try checkedFingerprints(value) }
        if key == "redirect_allowlist" { return try checkedHosts(value) }
        guard let text = value.scalarText else {
            throw Failure.invalid("\(key) must be a string, a number or a boolean, not \(value.kind).")
        }
        guard text.unicodeScalars.count <= 255 else { throw Failure.invalid("\(key) may have at most 255 characters.") }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw Failure.invalid("\(key) must not contain control characters.")
        }
        guard !switches.contains(key) || ["true", "false"].contains(text) else {
            throw Failure.invalid("\(key) must be true or false.")
        }
        if urls.contains(key), !text.isEmpty { try checkURL(text, key) }
        if schemes.contains(key), !text.isEmpty { try checkScheme(text, key) }
        if colors.contains(key), !text.isEmpty, RGBColor(text) == nil {
            throw Failure.invalid("\(key) must be a colour such as #256a45: a number sign and six or three hexadecimal digits.")
        }
        if let name = AppName(rawValue: key), !text.isEmpty, !name.fits(text) {
            throw Failure.invalid("\(key) must be \(name.rule).")
        }
        if key == "uri_redirect_mode", !text.isEmpty, URIRedirectMode(text) == nil {
            throw Failure.invalid("uri_redirect_mode must be 0 (conservative), 1 (smart) or 2 (force).")
        }
        if AttributionWindows.settings.contains(key), !text.isEmpty, AttributionWindows.number(text) == nil {
            throw Failure.invalid("\(key) must be a number of days, from 0 to 90; 0.5 is twelve hours.")
        }
        if key == EventSettings.currencySetting, !text.isEmpty, Currency(text) == nil {
            throw Failure.invalid("currency must be a code of ISO 4217 such as EUR: revenue is reported in it.")
        }
        if !text.isEmpty { try checkFraud(text, for: key) }
        if key == RouteValidation.setting, !text.isEmpty { try RouteValidation.check(text) }
        return value
    }

    private static func checkURL(_ text: String, _ key: String) throws {
        let parts = URLParts(text)
        guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty else {
            throw Failure.invalid("\(key) must be a URL that begins with https:// or http://.")
        }
    }

    private static func checkScheme(_ text: String, _ key: String) throws {
        let name = text.hasSuffix("://") ? String(text.dropLast(3)) : text
        let isScheme =
            name.first?.isASCII == true && name.first?.isLetter == true
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        guard isScheme else {
            throw Failure.invalid("\(key) must be a URI scheme such as myapp: a letter, then letters, digits, +, - or a dot.")
        }
        guard !["http", "https", "javascript", "data", "file", "vbscript", "blob", "about"].contains(name.lowercased()) else {
            throw Failure.invalid("\(key) must be the app's own URI scheme, not \(name).")
        }
    }

    private static func checkedHosts(_ value: JSON) throws -> JSON {
        let hosts = try hosts(value).map { text in
            let isWildcard = text.hasPrefix("*.")
            do {
                return try (isWildcard ? "*." : "") + Domain.normalizedHost(isWildcard ? String(text.dropFirst(2)) : text)
            } catch is Failure {
                throw Failure.invalid(
                    "redirect_allowlist must be host names such as example.com, or *.example.com for all below it, not \"\(text)\"."
                )
            }
        }
        return JSON(hosts)
    }

    private static func hosts(_ value: JSON?) -> [String] {
        let texts = value?.array?.map { $0.scalarText ?? "" } ?? value?.string?.split(separator: ",").map(String.init) ?? []
        return texts.map { String($0.filter { !$0.isWhitespace }) }.filter { !$0.isEmpty }
    }

    private static func checkedFingerprints(_ value: JSON) throws -> JSON {
        let fingerprints = try (value.array ?? [value]).map { element in
            let digits = Array((element.string ?? "").uppercased().filter { $0 != ":" })
            guard digits.count == 64, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else {
                throw Failure.invalid("sha256_cert_fingerprints must be SHA-256 fingerprints: 32 two-digit hexadecimal numbers.")
            }
            return stride(from: 0, to: 64, by: 2).map { String(digits[$0...($0 + 1)]) }.joined(separator: ":")
        }
        return JSON(fingerprints)
    }
}
