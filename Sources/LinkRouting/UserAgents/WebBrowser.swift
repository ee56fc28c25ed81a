/// A browser, identified by its own name. Brave claims to be Chrome or Safari; only its client hints reveal it.
public struct WebBrowser: Sendable, Hashable {
    public enum Family: String, Sendable, Hashable, CaseIterable {
        case safari, chrome, firefox, edge
        case samsungInternet = "samsung_internet"
        case opera
        case duckDuckGo = "duckduckgo"
        case brave, vivaldi, yandex, ecosia, whale
        case ucBrowser = "uc_browser"
        case qqBrowser = "qq_browser"
        case huaweiBrowser = "huawei_browser"
        case miBrowser = "mi_browser"
        case heyTap = "heytap"
        case vivoBrowser = "vivo_browser"
        /// Amazon's browser.
        case silk
        case internetExplorer = "internet_explorer"
        /// Android's browser before Chrome.
        case androidBrowser = "android_browser"
    }

    public var family: Family
    /// The dotted version without trailing zeros: `126`, `18.5`.
    public var version: String?

    public init(_ family: Family, version: String? = nil) {
        self.family = family
        self.version = version
    }
}

extension WebBrowser {
    /// Determines the browser from a user agent. Most browsers also name Safari and many Chrome, so any other name takes precedence.
    init?(_ text: UserAgentText, on device: DeviceFamily?) {
        var best: (family: Family, version: String?)?
        for word in text.words {
            guard let family = Self.named(word), best.map({ family.weight > $0.family.weight }) ?? true else { continue }
            best = (family, word.version)
        }
        if let best {
            self.init(best.family, version: best.version)
        } else if text.has("safari"), let family = Self.native(of: device) {
            self.init(family, version: text.version(of: "version"))
        } else {
            return nil
        }
    }

    /// Returns the family that a word names. A browser's name is followed by a slash and its version; a Motorola Edge 40 is not a browser.
    private static func named(_ word: UserAgentText.Word) -> Family? {
        guard word.rest.first == "/" || word.name == "msie" else { return nil }
        return names[word.name]
    }

    /// Returns the browser of a user agent that names only Safari: the system's own.
    private static func native(of device: DeviceFamily?) -> Family? {
        switch device?.platform {
        case .iOS: .safari
        case .android: .androidBrowser
        default: device == .mac || device == .windows ? .safari : nil
        }
    }

    private static let names: [String: Family] = [
        "chrome": .chrome, "crios": .chrome, "chromium": .chrome, "firefox": .firefox, "fxios": .firefox,
        "edg": .edge, "edga": .edge, "edgios": .edge, "edge": .edge,
        "samsungbrowser": .samsungInternet,
        "opr": .opera, "opt": .opera, "opx": .opera, "opios": .opera, "opera": .opera,
        "duckduckgo": .duckDuckGo, "ddg": .duckDuckGo, "brave": .brave, "vivaldi": .vivaldi, "yabrowser": .yandex,
        "ecosia": .ecosia, "whale": .whale, "ucbrowser": .ucBrowser, "ubrowser": .ucBrowser,
        "mqqbrowser": .qqBrowser, "qqbrowser": .qqBrowser, "huaweibrowser": .huaweiBrowser, "miuibrowser": .miBrowser,
        "heytapbrowser": .heyTap, "vivobrowser": .vivoBrowser, "silk": .silk,
        "msie": .internetExplorer, "trident": .internetExplorer, "iemobile": .internetExplorer,
    ]
}

extension WebBrowser.Family {
    fileprivate var weight: Int {
        switch self {
        case .chrome: 1
        case .firefox: 2
        default: 3
        }
    }
}
