/// Operating system versions, spelled so that a browser's and an SDK's can be compared.
public enum OSVersion {
    /// `17.5.1`: dots for underscores, no trailing `.0`.
    public static func normalized(_ version: some StringProtocol) -> String {
        let version = String(version)
        var parts = version.utf8.split { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }.map { Substring($0) }
        while parts.count > 1, parts.last == "0" { parts.removeLast() }
        return parts.joined(separator: ".")
    }

    /// The version that a text begins with, behind one of these characters; nil if no digit follows it.
    static func leading(_ text: Substring, after separators: [Character]) -> String? {
        guard let first = text.first, separators.contains(first) else { return nil }
        return leading(text.dropFirst())
    }

    /// The version that a text begins with; nil if it begins with no digit.
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
    /// `CPU iPhone OS 17_5_1 like Mac OS X`, and `CPU OS 17_5 like Mac OS X` on iPads.
    ///
    /// From iOS 26 on WebKit says `18_6` or `18_7` for ever, and the truth stands in `Version/26.2` alone. So where the system reads
    /// 18.6 or later, a `Version/` from beyond 18 is the better version. A `Version/` of its own age proves that the system means
    /// what it says, as does a third part, `18_6_2`, which no frozen system has; there the system is kept, for it tells the patch
    /// level, as the SDK does, and Safari's version often does not. Where there is no `Version/`, as in web views, nobody knows:
    /// nil, so that no fingerprint is taken that would belong to another phone.
    static func iOS(_ text: UserAgentText) -> String? {
        guard let token = iOSToken(text) else { return nil }
        let told = normalized(token)
        guard mayBeFrozen(token) else { return told }
        guard let safari = text.version(of: "version"), let major = major(safari) else { return nil }
        return major > 18 ? safari : told
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
    /// `Linux; Android 14; Pixel 8`. Chrome's reduced user agent says `Android 10; K` on every device since 2023: that is no
    /// version, so it is nil, unless the app in which it stands adds the true one (`Reddit/…/Android 13`).
    static func android(_ text: UserAgentText) -> String? {
        let versions = text.words.lazy.filter { $0.name == "android" }.compactMap { leading($0.rest, after: [" "]) }
        let isReduced = text.fields.contains("K") && versions.first == "10"
        return isReduced ? versions.dropFirst().first : versions.first
    }
}
