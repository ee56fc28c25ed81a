/// User-agent client hints: `Sec-CH-UA` headers of browsers built on Chromium, and properties that a page's script reads in any browser.
///
/// Chrome sends brands, platform and `Mobile` by default. Model and platform version must be requested by ``acceptCH`` and arrive from the
/// next request on. Safari and Firefox send no headers.
public struct ClientHints: Sendable, Hashable {
    /// The value of `Accept-CH` that requests ``model`` and ``platformVersion``.
    public static let acceptCH = "Sec-CH-UA-Model, Sec-CH-UA-Platform-Version"

    /// `Sec-CH-UA`: brands with their versions, in any order. Browsers add meaningless brands so that servers do not rely on a fixed list.
    public var brands: [Brand]
    /// `Sec-CH-UA-Platform`: `Android`, `Windows`, `macOS`, `Chrome OS`, `Linux`.
    public var platform: String?
    /// `Sec-CH-UA-Mobile`; false on tablets.
    public var isMobile: Bool?
    /// `Sec-CH-UA-Model`: `Pixel 8`; nil for an empty header, which computers send.
    public var model: String?
    /// `Sec-CH-UA-Platform-Version`: `14.0.0`.
    public var platformVersion: String?
    /// `navigator.maxTouchPoints`, if a page has reported it: the only difference between Safari on an iPad and on a Mac.
    public var touchPoints: Int?

    public struct Brand: Sendable, Hashable {
        public var name: String
        public var version: String?

        public init(_ name: String, version: String? = nil) {
            self.name = name
            self.version = version
        }
    }

    public init(
        brands: [Brand] = [], platform: String? = nil, isMobile: Bool? = nil, model: String? = nil, platformVersion: String? = nil,
        touchPoints: Int? = nil
    ) {
        self.brands = brands
        self.platform = platform
        self.isMobile = isMobile
        self.model = model
        self.platformVersion = platformVersion
        self.touchPoints = touchPoints
    }

    /// Parses a request's headers; `header` returns a header by its name.
    public init(touchPoints: Int? = nil, header: (String) -> String?) {
        self.init(touchPoints: touchPoints)
        let brands = header("Sec-CH-UA").map(Self.quoted) ?? []
        self.brands = stride(from: 0, to: brands.count - 1, by: 2).map {
            Brand(brands[$0], version: OSVersion.leading(brands[$0 + 1][...]))
        }
        platform = header("Sec-CH-UA-Platform").flatMap(Self.text)
        isMobile = header("Sec-CH-UA-Mobile").map { $0 == "?1" }
        model = header("Sec-CH-UA-Model").flatMap(Self.text)
        platformVersion = header("Sec-CH-UA-Platform-Version").flatMap(Self.text)
    }

    /// Parses a quoted string such as `"Pixel 8"`; nil if it is empty or not quoted.
    private static func text(_ header: String) -> String? {
        quoted(header).first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Limits of the length of a value, in bytes of ASCII, and of the number of values; browsers stay below both.
    private static let longest = 64
    private static let most = 24

    /// Returns the quoted strings, with backslash escapes removed.
    private static func quoted(_ header: String) -> [String] {
        var strings: [String] = []
        var current: String?
        var isGuarded = false
        for character in header.unicodeScalars.prefix(longest * most) {
            guard strings.count < most else { break }
            switch (current, character) {
            case (nil, "\""): current = ""
            case (nil, _): continue
            case (_?, "\\") where !isGuarded: isGuarded = true
            case (let text?, "\"") where !isGuarded:
                strings.append(String(text.prefix(longest)))
                current = nil
            default:
                if character.isASCII { current?.unicodeScalars.append(character) }
                isGuarded = false
            }
        }
        return strings
    }
}

// MARK: Properties of a visitor

extension ClientHints {
    /// Returns the device if the hints know it better than the user agent, else nil: Android tablets request desktop pages as Linux
    /// computers.
    func device(instead family: DeviceFamily?) -> DeviceFamily? {
        switch platform {
        case "Android":
            // A more specific Android device of the user agent is kept.
            if family?.platform == .android, family != .androidPhone && family != .androidTablet { return nil }
            return isMobile.map { $0 ? .androidPhone : .androidTablet } ?? (family?.platform == .android ? nil : .androidTablet)
        case "Windows": return .windows
        case "macOS": return .mac
        case "Chrome OS", "Chromium OS": return .chromeOS
        default: return nil
        }
    }

    /// Whether Safari claims to be on a Mac but has a touch screen: it is on an iPad then.
    func isMacWithTouch(_ device: DeviceFamily?, _ browser: WebBrowser?) -> Bool {
        device == .mac && (browser == nil || browser?.family == .safari || browser?.family == .duckDuckGo) && (touchPoints ?? 0) > 1
    }

    var osVersion: String? {
        platform == "Android" ? platformVersion.flatMap { OSVersion.leading($0[...]) } : nil
    }

    /// The first known brand. Browsers built on Chromium also list `Chromium`, which is not among the known ones.
    var browser: WebBrowser? {
        brands.lazy.compactMap { brand in Self.browsers[brand.name].map { WebBrowser($0, version: brand.version) } }.first
    }

    var isWebView: Bool { brands.contains { $0.name == "Android WebView" } }
    var isHeadless: Bool { brands.contains { $0.name == "HeadlessChrome" } }

    private static let browsers: [String: WebBrowser.Family] = [
        "Google Chrome": .chrome, "Microsoft Edge": .edge, "Opera": .opera, "Opera GX": .opera, "OperaMobile": .opera,
        "Brave": .brave,
        "Samsung Internet": .samsungInternet, "Vivaldi": .vivaldi, "YaBrowser": .yandex, "Yandex": .yandex,
        "DuckDuckGo": .duckDuckGo,
        "HuaweiBrowser": .huaweiBrowser, "Whale": .whale, "Ecosia": .ecosia,
    ]
}
