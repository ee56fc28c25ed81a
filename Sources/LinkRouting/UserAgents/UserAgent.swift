extension Visitor {
    /// Reads a `User-Agent` header.
    public init(userAgent: String) {
        self.init(platform: .desktop)
        robot = RobotReason(userAgent: userAgent)
        if let version = OSVersion.iOS(in: userAgent) {
            platform = .iOS
            os = "iOS"
            osVersion = version
        } else if userAgent.contains("iPhone") || userAgent.contains("iPad") || userAgent.contains("iPod") {
            platform = .iOS
            os = "iOS"
        } else if userAgent.contains("Android") {
            platform = .android
            os = "Android"
            osVersion = OSVersion.android(in: userAgent)
        }
    }
}

/// Operating system versions, spelled so that a browser's and an SDK's can be compared.
public enum OSVersion {
    /// `17.5.1`: dots for underscores, no trailing `.0`.
    public static func normalized(_ version: some StringProtocol) -> String {
        var parts = version.split { $0 == "." || $0 == "_" }
        while parts.count > 1, parts.last == "0" { parts.removeLast() }
        return parts.joined(separator: ".")
    }

    /// `CPU iPhone OS 17_5_1 like Mac OS X` and `CPU OS 17_5 like Mac OS X`, which iPads say.
    static func iOS(in userAgent: String) -> String? {
        version(in: userAgent, after: "iPhone OS ") ?? version(in: userAgent, after: "CPU OS ")
    }

    /// `Linux; Android 14; Pixel 8`.
    static func android(in userAgent: String) -> String? {
        version(in: userAgent, after: "Android ")
    }

    private static func version(in userAgent: String, after marker: String) -> String? {
        guard let start = userAgent.firstRange(of: marker)?.upperBound else { return nil }
        let text = userAgent[start...].prefix(16).prefix { $0.isASCII && $0.isNumber || $0 == "_" || $0 == "." }
        return text.isEmpty ? nil : normalized(text)
    }
}

extension RobotReason {
    /// The reason why a user agent is not a person's browser; nil if it may be one.
    ///
    /// Names are compared word by word, so that a phone called CUBOT or an in-app browser is a person's. In-app browsers carry
    /// their app's name too (`[FBAN/FBIOS…]`, `Instagram`, `Snapchat/12`), so previewers are listed by the names of their
    /// fetchers; messengers whose fetcher has the messenger's own name (`WhatsApp/2.23`) are known by beginning with it.
    public init?(userAgent: String) {
        let words = userAgent.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")) }
        guard let first = words.first else {
            self = .unnamed
            return
        }
        if RobotReason.messengers.contains(first) || words.contains(where: RobotReason.previewers.contains) {
            self = .preview
        } else if RobotReason.libraries.contains(first) || words.contains(where: RobotReason.tools.contains) {
            // Before the crawlers: some monitors call themselves robots too.
            self = .tool
        } else if words.contains(where: RobotReason.isCrawler) {
            self = .crawler
        } else {
            return nil
        }
    }

    private static func isCrawler(_ word: Substring) -> Bool {
        if crawlers.contains(word) { return true }
        let isNamedRobot = word.hasSuffix("bot") || word.hasSuffix("spider") || word.hasSuffix("crawler") || word.contains("_bot_")
        return isNamedRobot && word != "cubot"
    }

    private static let messengers: Set<Substring> = ["whatsapp", "viber", "mastodon", "snap"]

    private static let previewers: Set<Substring> = [
        "facebookexternalhit", "facebot", "twitterbot", "slackbot", "slackbot-linkexpanding", "slack-imgproxy", "discordbot",
        "telegrambot", "linkedinbot", "skypeuripreview", "pinterestbot", "redditbot", "vkshare", "embedly", "iframely",
        "google-pagerenderer", "bitlybot", "line-poker", "kakaotalk-scrap",
    ]

    private static let crawlers: Set<Substring> = [
        "slurp", "mediapartners-google", "google-inspectiontool", "googleother", "apis-google", "bingpreview", "ia_archiver",
        "headlesschrome",
    ]

    /// Programs that name themselves first; in the middle the same word may be a phone's model.
    private static let libraries: Set<Substring> = [
        "curl", "wget", "python", "python-requests", "python-urllib", "python-httpx", "libwww-perl", "go-http-client", "java",
        "okhttp",
        "axios", "node-fetch", "node", "postmanruntime", "ruby", "php", "guzzlehttp", "insomnia", "httpie",
    ]

    private static let tools: Set<Substring> = [
        "apache-httpclient", "uptimerobot", "pingdom", "statuscake", "site24x7", "newrelicpinger", "datadog", "betteruptime",
        "kube-probe", "elb-healthchecker", "googlehc", "lighthouse", "chrome-lighthouse",
    ]
}
