import LinkRouting

/// The exact user agents and client hints of browsers and web views, with their known omissions: iOS 26 reports `18_7` in WebKit's part,
/// Chrome on Android `10` and no model, and only some apps add the actual version.
extension Phone {
    func report(of browser: BrowserName, hintsHaveCome: Bool) -> BrowserReport {
        switch os {
        case .iOS: iOSReport(browser)
        case .android: androidReport(browser, hintsHaveCome: hintsHaveCome)
        }
    }

    /// The user agent of a web view in the app itself, as its SDK reads it.
    var webViewReport: BrowserReport { report(of: .webView, hintsHaveCome: false) }

    // MARK: iOS

    private static let webKit = "AppleWebKit/605.1.15 (KHTML, like Gecko)"

    private func iOSReport(_ browser: BrowserName) -> BrowserReport {
        let version = make.osVersion
        // Chrome asks the OS, and leaves out the third component.
        var shownVersion = browser == .chrome ? majorAndMinor : webKitVersion
        let system = make.model.isTablet ? "iPad; CPU OS" : "iPhone; CPU iPhone OS"
        let opening = "Mozilla/5.0 (\(system) \(shownVersion.underscored) like Mac OS X) \(Self.webKit)"
        let userAgent: String
        var model: String?
        switch browser {
        case .safari where make.model.isTablet:
            shownVersion = "10.15.7"
            userAgent = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) \(Self.webKit) Version/\(safariVersion) Safari/605.1.15"
        case .safari, .samsungInternet:
            userAgent = "\(opening) Version/\(safariVersion) Mobile/15E148 Safari/604.1"
        case .chrome:
            userAgent = "\(opening) CriOS/\(chromeVersion).0.7499.92 Mobile/15E148 Safari/604.1"
        case .facebook:
            userAgent =
                "\(opening) Mobile/15E148 [FBAN/FBIOS;FBAV/549.1.0.40.107;FBDV/\(make.model.name);FBMD/iPhone;FBSN/iOS;"
                + "FBSV/\(version);FBSS/\(Int(make.model.screen.scale));FBID/phone;FBLC/\(language.tag.underscored);FBOP/80]"
            (shownVersion, model) = (version, make.model.name)
        case .instagram:
            let screen = make.model.screen
            userAgent =
                "\(opening) Mobile/15E148 Instagram 423.0.0.21.66 (\(make.model.name); iOS \(version.underscored); "
                + "\(language.tag.underscored); \(language.tag); scale=\(screen.scale)0; "
                + "\(Int(screen.width * screen.scale))x\(Int(screen.height * screen.scale)))"
            (shownVersion, model) = (version, make.model.name)
        case .webView:
            userAgent = "\(opening) Mobile/15E148"
        }
        return BrowserReport(
            userAgent: userAgent, os: .iOS, osVersion: shownVersion, model: model, name: browser, engineVersion: "605.1.15",
            language: language.code)
    }

    /// The OS version in WebKit's part: from iOS 26 on frozen at the last of 18.
    private var webKitVersion: String {
        guard let major = Int(make.osVersion.prefix { $0 != "." }), major >= 26 else { return make.osVersion }
        return majorAndMinor == "26.0" ? "18.6" : "18.7"
    }

    private var majorAndMinor: String {
        let parts = make.osVersion.split(separator: ".")
        return "\(parts[0]).\(parts.count > 1 ? parts[1] : "0")"
    }

    private var safariVersion: String {
        safariTellsPatch && make.osVersion.contains(".") ? make.osVersion : majorAndMinor
    }

    // MARK: Android

    private func androidReport(_ browser: BrowserName, hintsHaveCome: Bool) -> BrowserReport {
        let isWebView = ![.chrome, .samsungInternet, .safari].contains(browser)
        // On Android 16 the web view's user agent is reduced like Chrome's.
        let isReduced = !isWebView || make.osVersion == "16" && browser == .webView
        let version = isWebView ? webViewVersion : chromeVersion
        let device = isReduced ? "Android 10; K" : "Android \(make.osVersion); \(make.model.name) Build/AP3A.240905.015"
        let engine = isReduced ? "Chrome/\(version).0.0.0" : "Chrome/\(version).0.7499.34"
        let opening = "Mozilla/5.0 (Linux; \(device)\(isWebView ? "; wv" : "")) AppleWebKit/537.36 (KHTML, like Gecko)"
        let closing = "\(engine) Mobile Safari/537.36"
        let userAgent =
            switch browser {
            case .chrome, .safari: "\(opening) \(closing)"
            case .samsungInternet: "\(opening) SamsungBrowser/29.0 \(closing)"
            case .facebook: "\(opening) Version/4.0 \(closing) [FB_IAB/FB4A;FBAV/541.0.0.44.85;]"
            case .instagram: "\(opening) Version/4.0 \(closing) \(instagram)"
            case .webView: "\(opening) Version/4.0 \(closing)"
            }
        var report = BrowserReport(
            userAgent: userAgent, os: .android, osVersion: isReduced ? "10" : make.osVersion,
            model: isReduced ? nil : make.model.name,
            name: browser, engineVersion: String(version), language: language.code)
        if !isWebView { report.add(hints(of: browser, all: hintsHaveCome)) }
        return report
    }

    private var instagram: String {
        let screen = make.model.screen
        let size = "\(Int((screen.width * screen.scale).rounded()))x\(Int((screen.height * screen.scale).rounded()))"
        return "Instagram 389.0.0.49.87 Android (\(make.apiLevel ?? 0)/\(make.osVersion); \(Int(screen.scale * 160))dpi; \(size); "
            + "phone; \(make.model.name); phone; qcom; \(language.tag.underscored); 762306041)"
    }

    private func hints(of browser: BrowserName, all: Bool) -> ClientHints {
        let brand = browser == .samsungInternet ? "Samsung Internet" : "Google Chrome"
        var hints = ClientHints(
            brands: [.init("Chromium", version: String(chromeVersion)), .init(brand, version: String(chromeVersion))],
            platform: "Android", isMobile: true)
        if all {
            hints.model = make.model.name
            hints.platformVersion = make.osVersion + ".0.0"
        }
        return hints
    }
}

extension BrowserReport {
    fileprivate mutating func add(_ hints: ClientHints) {
        clientHints = hints
        if let version = hints.platformVersion { osVersion = OSVersion.normalized(version) }
        model = hints.model ?? model
    }
}

extension String {
    /// `18_6_2` for `18.6.2`, `en_US` for `en-US`.
    fileprivate var underscored: String {
        String(map { $0 == "." || $0 == "-" ? "_" : $0 })
    }
}

/// User agents of programs that fetch links.
enum RobotAgents {
    /// Preview fetchers on the sender's own phone.
    static let onPhones = ["facebookexternalhit/1.1 Facebot Twitterbot/1.0", "WhatsApp/2.25.30.77 A"]
    static let inDataCentres = [
        "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", "Twitterbot/1.0",
        "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
        "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", "curl/8.5.0", "python-requests/2.32.3",
    ]

    static func report(_ userAgent: String) -> BrowserReport {
        BrowserReport(
            userAgent: userAgent, os: .iOS, osVersion: "", model: nil, name: .webView, engineVersion: "", language: "")
    }
}
