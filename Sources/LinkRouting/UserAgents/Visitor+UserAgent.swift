extension Visitor {
    /// Reads a `User-Agent` header.
    public init(userAgent: String) {
        self.init(UserAgentText(userAgent))
    }

    /// Reads a `User-Agent` header together with what the browser says beside it. Hints are the younger and truer words, so where
    /// both speak, hints win.
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

    /// A model's name as long as any real one: it is stored with every install that it is compared with.
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
            // The Mac it claims to be has no version of its own; Safari's goes with the system's.
            osVersion = text.version(of: "version")
        } else if let told = hints.device(instead: device) {
            // Of another system than it claims, whatever it says of that one is as false.
            if told.platform != platform { (osVersion, model, maker) = (nil, nil, told.maker) }
            settle(told)
        }
        if platform == .android {
            osVersion = hints.osVersion ?? osVersion
            if let told = hints.model {
                model = told
                maker = DeviceMaker(model: told) ?? maker
            }
        }
        if let told = hints.browser, inAppBrowser == nil { browser = told }
        if hints.isWebView, inAppBrowser == nil {
            inAppBrowser = .webView
            browser = nil
        }
        if hints.isHeadless { robot = robot ?? .tool }
    }
}
