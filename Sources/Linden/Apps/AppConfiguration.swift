import LindenKernel
import LinkRouting

/// An app's settings under Branch's names, kept as they were sent.
///
/// Settings that have no effect in Linden are stored and returned, too, so that a configuration can be migrated completely.
package struct AppConfiguration: Sendable, Equatable {
    package var values: JSONObject

    package init(_ values: JSONObject = [:]) {
        self.values = values
    }

    /// The value of a setting that has an effect; nil if it is missing or empty.
    package subscript(key: String) -> String? {
        assert(AppSetting.named(key) != nil, "\(key) has an effect and is not among AppSetting.all")
        guard let text = values[key]?.scalarText, !text.isEmpty else { return nil }
        return text
    }

    /// The settings that determine the destination of a click.
    package var routing: AppSettings {
        AppSettings(
            ios: .init(
                uriScheme: scheme("ios_uri_scheme"),
                storeURL: appStoreID?.url,
                customURL: self["ios_url"], showsDeepview: isOn("deepview_ios", default: false),
                copiesLink: isOn(AppSetting.nativeLink, default: false)
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
            redirectHosts: redirectAllowlist.isEmpty ? nil : RedirectHosts(redirectAllowlist), ownHosts: ownHosts,
            passesLabelsOn: isOn("utm_mapping", default: true)
        )
    }

    /// The hosts that links may redirect to.
    private var redirectAllowlist: [String] { AppConfiguration.hosts(values["redirect_allowlist"]) }

    /// The app's hosts according to its settings: those of its page URLs, its allow list, `links.own_hosts` and the alternate domain.
    private var ownHosts: NamedHosts {
        let pages = ["web_url", "ios_url", "android_url", "fire_url", "default_desktop_url", "windows_phone_url", "blackberry_url"]
        var hosts = pages.compactMap { self[$0].map { URLParts($0).host } } + redirectAllowlist
        hosts += AppConfiguration.hosts(values[AppSetting.ownHosts])
        if let alternate = self["alternate_short_url_domain"] { hosts.append(alternate) }
        return NamedHosts(hosts)
    }

    /// The longest window in which a click may be matched by address.
    package var longestMatch: Duration {
        .seconds(self[AppSetting.longestMatch].flatMap { Int64($0) } ?? AppSetting.standardLongestMatchSeconds)
    }

    /// The second host of the app's links (`alternate_short_url_domain`); nil if it has none, or Universal Links do not open the app.
    var alternateDomain: String? {
        guard self["ios_team_id"] != nil, self["ios_bundle_id"] != nil else { return nil }
        return self["alternate_short_url_domain"].flatMap { try? Domain.normalizedHost($0) }
    }

    /// Whether the app uses probabilistic matching, by address and device. If not, the data for it is not stored.
    package var matchesFingerprints: Bool { self[AppSetting.fingerprint] != "off" }

    /// Reads a switch. Any value but `false`, `0` and `no` is on, including the name of a template.
    private func isOn(_ key: String, default standard: Bool) -> Bool {
        self[key].map { !["false", "0", "no"].contains($0.lowercased()) } ?? standard
    }

    private func scheme(_ key: String) -> String? {
        self[key].map { String($0.prefix { $0 != ":" }) }
    }

    /// Returns the settings with some replaced; null removes one. Fails with `invalid` for a value that is not allowed, and for settings that
    /// grow beyond ``mostSettings`` or ``mostBytes``.
    package func merging(_ changes: JSONObject) throws -> AppConfiguration {
        var merged = self
        for (key, value) in changes {
            if value.isNull {
                merged.values[key] = nil
            } else {
                merged.values[key] = try AppConfiguration.checked(value, for: key)
            }
        }
        try merged.checkSize(changedFrom: self)
        return merged
    }

    /// The maximum number of settings of one side of an app. Fewer than half have an effect.
    package static let mostSettings = 200

    /// The maximum size of one side's settings, as JSON. They are read with each link and within each session.
    package static let mostBytes = 64 << 10

    /// Fails with `invalid` for a change of more than all settings of an app's two sides: it is applied while other writers wait.
    package static func checkChange(_ changes: JSONObject) throws(Failure) {
        let (settings, bytes) = (2 * mostSettings, 2 * mostBytes)
        guard changes.count <= settings, JSON.object(changes).bytes.count <= bytes else {
            throw .invalid("A call may change at most \(settings) settings, with \(bytes) bytes as JSON.")
        }
    }

    /// Settings above a limit may still be reduced.
    private func checkSize(changedFrom former: AppConfiguration) throws {
        guard values.count <= max(Self.mostSettings, former.values.count) else {
            throw Failure.invalid(
                "An app may have at most \(Self.mostSettings) settings on each of its sides, not \(values.count).")
        }
        let bytes = byteCount
        guard bytes <= Self.mostBytes || bytes <= former.byteCount else {
            throw Failure.invalid(
                "An app's settings may have at most \(Self.mostBytes) bytes on each of its sides, as JSON, not \(bytes).")
        }
    }

    private var byteCount: Int { JSON.object(values).bytes.count }
}

extension AppConfiguration {
    /// Validates a value and returns it in its stored form. A value of an unknown name is accepted if it is a valid text: Branch may know
    /// the setting.
    private static func checked(_ value: JSON, for name: String) throws -> JSON {
        if let setting = AppSetting.named(name) { return try setting.checked(value) }
        _ = try AppSetting.checkedText(value, name)
        return value
    }

    /// Parses a list of hosts: an array, or a comma-separated string.
    static func hosts(_ value: JSON?) -> [String] {
        let parts = value?.string?.utf8.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
        let texts = value?.array?.map { $0.scalarText ?? "" } ?? parts ?? []
        return texts.map(\.withoutWhitespace).filter { !$0.isEmpty }
    }
}
