/// Operating system versions in a canonical form, so that a browser's and an SDK's can be compared.
public enum OSVersion {
    /// Returns a version such as `17.5.1`: underscores become dots, trailing `.0` parts are dropped.
    public static func normalized(_ version: some StringProtocol) -> String {
        let version = String(version)
        var parts = version.utf8.split { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }.map { Substring($0) }
        while parts.count > 1, parts.last == "0" { parts.removeLast() }
        return parts.joined(separator: ".")
    }

    /// Returns the version at the start of a text, after one of the separators; nil if no digit follows one.
    static func leading(_ text: Substring, after separators: [Character]) -> String? {
        guard let first = text.first, separators.contains(first) else { return nil }
        return leading(text.dropFirst())
    }

    /// Returns the version at the start of a text; nil if it does not begin with a digit.
    static func leading(_ text: Substring) -> String? {
        raw(text).map { normalized($0) }
    }

    private static func raw(_ text: Substring) -> Substring? {
        let version = text.prefix(24).prefix { $0.isASCII && $0.isNumber || $0 == "_" || $0 == "." }
        return version.first?.isNumber == true ? version : nil
    }
}

// MARK: iOS

extension OSVersion {
    /// Returns the iOS version of `CPU iPhone OS 17_5_1 like Mac OS X`, or on iPads `CPU OS 17_5 like Mac OS X`; nil if it is missing or
    /// unknown.
    ///
    /// From iOS 26 on, WebKit freezes the system's version at `18_6` or `18_7`, and only `Version/26.2` is current. So if the system reads
    /// 18.6 or later, a `Version/` above 18 takes precedence. A `Version/` up to 18, or a third part as in `18_6_2`, which no frozen
    /// version has, proves that the system's version is real; it is preferred then, because like the SDK's it has the patch level, which
    /// Safari's version often lacks. If it may be frozen and there is no `Version/`, as in web views, the version is unknown: nil, because
    /// a wrong one would give the fingerprint of another phone.
    static func iOS(_ text: UserAgentText) -> String? {
        guard let token = iOSToken(text) else { return nil }
        let reported = normalized(token)
        guard mayBeFrozen(token) else { return reported }
        guard let safari = text.version(of: "version"), let major = major(safari) else { return nil }
        return major > 18 ? safari : reported
    }

    private static func iOSToken(_ text: UserAgentText) -> Substring? {
        var before = ""
        for word in text.words {
            if word.name == "os", before == "iphone" || before == "cpu", word.rest.first == " ",
                let token = raw(word.rest.dropFirst())
            {
                return token
            }
            before = word.name
        }
        return nil
    }

    private static func mayBeFrozen(_ token: Substring) -> Bool {
        let parts = token.split { $0 == "_" || $0 == "." }
        return parts.count == 2 && parts[0] == "18" && Int(parts[1]).map { $0 >= 6 } ?? false
    }

    private static func major(_ version: String) -> Int? {
        Int(version.prefix { $0 != "." })
    }
}

// MARK: Android

extension OSVersion {
    /// Returns the Android version of `Linux; Android 14; Pixel 8`. Chrome's reduced user agent has `Android 10; K` on every device since
    /// 2023; then it is nil, unless the app that embeds the browser adds the real one (`Reddit/…/Android 13`).
    static func android(_ text: UserAgentText) -> String? {
        let versions = text.words.lazy.filter { $0.name == "android" }.compactMap { leading($0.rest, after: [" "]) }
        let isReduced = text.fields.contains("K") && versions.first == "10"
        return isReduced ? versions.dropFirst().first : versions.first
    }
}
