/// The OS version and model that an app with an in-app browser reports in its user agent. The app gets them from the system, so they are
/// correct where those of the web view are frozen (`18_7`) or reduced (`Android 10; K`).
struct AppReport {
    private(set) var osVersion: String?
    private(set) var model: String? {
        didSet { if model?.isEmpty == true { model = nil } }
    }

    /// Parses the text after the app's name; empty if there is no app.
    init(_ named: InAppBrowser.Named?) {
        guard let named else { return }
        switch named.app {
        case .facebook, .messenger: readFacebook(named.following)
        case .instagram, .threads: readInstagram(named.word)
        default: readFields(UserAgentText.fields(of: near(named.word)), app: named.app)
        }
    }

    /// Parses `[FBAN/FBIOS;FBAV/549.1.0.40.107;FBDV/iPad15,7;FBSN/iPadOS;FBSV/26.2;…]`.
    private mutating func readFacebook(_ words: ArraySlice<UserAgentText.Word>) {
        for word in words {
            switch word.name {
            case "fbdv": model = word.value.map(String.init)
            case "fbsv": osVersion = word.version
            default: continue
            }
        }
    }

    /// Parses `Instagram 350.0.0.1 (iPhone15,2; iOS 18_1; en_US; …)` and
    /// `Instagram 389.0.0.49.87 Android (34/14; 420dpi; 1080x2400; Google/google; Pixel 8; shiba; …)`. The latter's fields are API level
    /// and
    /// release, density, screen, brand, model.
    private mutating func readInstagram(_ word: UserAgentText.Word) {
        let fields = UserAgentText.fields(of: near(word))
        guard fields.count > 4, let slash = fields[0].firstIndex(of: "/"), fields[0].first?.isNumber == true else {
            return readFields(fields, app: .instagram)
        }
        osVersion = OSVersion.leading(fields[0][slash...], after: ["/"])
        model = String(fields[4].prefix(64))
    }

    /// Parses `(iPhone14,2; iOS 17.3.1; gzip)`, `(Pixel 8; Android 14#AP2A.240705.005#34; gzip)` or
    /// `(Samsung SM-G965N; Android 7.1.2; SDK 25; LOW)`.
    private mutating func readFields(_ fields: [Substring], app: InAppBrowser) {
        for field in fields.prefix(8) {
            for system in ["iOS", "iPadOS", "Android"] where field.hasPrefix(system) {
                osVersion = osVersion ?? OSVersion.leading(field.dropFirst(system.count), after: [" "])
            }
            if ["iPhone", "iPad", "iPod"].contains(where: field.hasPrefix), field.contains(",") { model = String(machine(field)) }
        }
        guard model == nil, osVersion != nil, let first = fields.first else { return }
        switch app {
        case .snapchat: model = String(first)
        // Telegram puts the maker's name before the model.
        case .telegram: model = first.firstIndex(of: " ").map { String(first[first.index(after: $0)...]) }
        default: return
        }
    }

    /// Returns `iPhone13,2` from `iPhone13,2__weibo__12.3.0__iphone__os15.4`.
    private func machine(_ field: Substring) -> Substring {
        field.prefix(16).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ",") }
    }

    /// Returns the text from the parentheses that follow the app's version; empty if they are more than 48 characters away.
    private func near(_ word: UserAgentText.Word) -> Substring {
        let open = word.rest.prefix(48).firstIndex(of: "(")
        return open.map { word.rest[$0...] } ?? ""
    }
}
