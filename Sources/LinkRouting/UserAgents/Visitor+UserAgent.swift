extension Visitor {
    /// Creates a visitor from a `User-Agent` header.
    public init(userAgent: String) {
        self.init(UserAgentText(userAgent))
    }

    /// Creates a visitor from a `User-Agent` header and client hints. Hints take precedence, because they are more accurate.
    public init(userAgent: String, clientHints: ClientHints) {
        let text = UserAgentText(userAgent)
        self.init(text)
        take(clientHints, beside: text)
    }

    private init(_ text: UserAgentText) {
        let app = InAppBrowser.named(in: text)
        let report = AppReport(app)
        let model = (report.model ?? AndroidModel.read(text)).map(Self.shortened)
        var device = DeviceFamily(text)
        self.init(platform: .desktop, robot: RobotReason(text))
        if device?.platform == .android {
            maker = DeviceMaker(model: model, text)
            device = DeviceFamily(android: text, model: model, maker: maker)
            osVersion = report.osVersion ?? OSVersion.android(text)
            self.model = model
        } else if device?.platform == .iOS {
            maker = .apple
            osVersion = report.osVersion ?? OSVersion.iOS(text)
            self.model = report.model.map(Self.shortened)
        } else {
            maker = device?.maker
        }
        settle(device)
        browser = WebBrowser(text, on: device)
        inAppBrowser = app?.app ?? InAppBrowser.unnamed(in: text, on: device, browser: browser)
        if inAppBrowser != nil { browser = nil }
    }

    /// Truncates a model's name to 64 scalars; no real one is longer, and it is stored with every install that it is compared with.
    private static func shortened(_ model: String) -> String {
        model.utf8.count <= 64 ? model : String(String.UnicodeScalarView(model.unicodeScalars.prefix(64)))
    }

    private mutating func settle(_ device: DeviceFamily?) {
        self.device = device
        platform = device?.platform ?? .desktop
        switch platform {
        case .iOS: os = "iOS"
        case .android: os = "Android"
        case .desktop: os = nil
        }
    }

    private mutating func take(_ hints: ClientHints, beside text: UserAgentText) {
        if hints.isMacWithTouch(device, browser) {
            settle(.iPad)
            // The user agent has the version of a Mac; Safari's version corresponds to that of iPadOS.
            osVersion = text.version(of: "version")
        } else if let reported = hints.device(instead: device) {
            // If the device has another system than the user agent claims, its version and model are false, too.
            if reported.platform != platform { (osVersion, model, maker) = (nil, nil, reported.maker) }
            settle(reported)
        }
        if platform == .android {
            osVersion = hints.osVersion ?? osVersion
            if let reported = hints.model {
                model = reported
                maker = DeviceMaker(model: reported) ?? maker
            }
        }
        if let reported = hints.browser, inAppBrowser == nil { browser = reported }
        if hints.isWebView, inAppBrowser == nil {
            inAppBrowser = .webView
            browser = nil
        }
        if hints.isHeadless { robot = robot ?? .tool }
    }
}
