/// A browser, by what it calls itself. Brave says it is Chrome or Safari, and only its client hints betray it.
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
        /// Amazon's.
        case silk
        case internetExplorer = "internet_explorer"
        /// What Android had before Chrome.
        case androidBrowser = "android_browser"
    }

    public var family: Family
    /// Dotted, without trailing zeros: `126`, `18.5`.
    public var version: String?

    public init(_ family: Family, version: String? = nil) {
        self.family = family
        self.version = version
    }
}

extension WebBrowser {
    /// The browser that a user agent names. All name Safari, most name Chrome, so the others are the telling ones.
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

    /// A browser's name has its version behind a slash; a Motorola Edge 40 is none.
    private static func named(_ word: UserAgentText.Word) -> Family? {
        guard word.rest.first == "/" || word.name == "msie" else { return nil }
        return names[word.name]
    }

    /// The one that every other claims to be.
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
