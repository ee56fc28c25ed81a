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
        let text = userAgent[start...].prefix { $0.isASCII && $0.isNumber || $0 == "_" || $0 == "." }
        return text.isEmpty ? nil : normalized(text)
    }
}

extension RobotReason {
    /// The reason why a user agent is not a person's browser; nil if it may be one.
    ///
    /// Matching is by word, in lower case, over names that their owners publish. In-app browsers carry an app's name too
    /// (`[FBAN/FBIOS…]`, `Instagram`), so the previewers are listed by the names of their fetchers, not of their apps.
    public init?(userAgent: String) {
        guard !userAgent.isEmpty else {
            self = .unnamed
            return
        }
        let agent = userAgent.lowercased()
        if RobotReason.previewers.contains(where: agent.contains) {
            self = .preview
        } else if RobotReason.tools.contains(where: agent.contains) {
            // Before the crawlers: some monitors call themselves robots too.
            self = .tool
        } else if RobotReason.crawlers.contains(where: agent.contains) {
            self = .crawler
        } else {
            return nil
        }
    }

    private static let previewers = [
        "facebookexternalhit", "facebot", "twitterbot", "slackbot", "slack-imgproxy", "discordbot", "telegrambot", "whatsapp/",
        "linkedinbot", "skypeuripreview", "pinterestbot", "pinterest/0", "redditbot", "vkshare", "embedly", "iframely",
        "google-pagerenderer", "snapchat/1", "bitlybot", "mastodon/", "viber/", "line-poker", "kakaotalk-scrap",
    ]

    private static let crawlers = [
        "bot/", "bot;", "bot)", "bot ", "-bot", "spider", "crawler", "slurp", "mediapartners-google", "google-inspectiontool",
        "googleother", "apis-google", "bingpreview", "archive.org", "ia_archiver", "yahoo! slurp", "yandex.com/bots",
        "headlesschrome",
    ]

    private static let tools = [
        "curl/", "wget/", "python-", "python/", "go-http-client", "java/", "okhttp", "apache-httpclient", "axios/", "node-fetch",
        "postmanruntime", "libwww-perl", "ruby", "php/", "guzzlehttp", "uptimerobot", "pingdom", "statuscake", "site24x7",
        "newrelicpinger", "datadog", "betteruptime", "kube-probe", "elb-healthchecker", "googlehc", "lighthouse",
    ]
}
