/// The words by which robots are recognized, in lower case.
enum RobotNames {
    /// Preview fetchers with the name of their messenger, recognized only as the first word; later in a user agent it is the app's in-app
    /// browser.
    static let messengers: Set<String> = [
        "whatsapp", "viber", "snap", "pinterest", "tumblr", "mastodon", "misskey", "pleroma", "akkoma", "lemmy", "synapse",
    ]

    /// HTTP libraries and tools, recognized only as the first word; later in a user agent the same word may be a phone's model.
    static let libraries: Set<String> = [
        "curl", "wget", "python", "python-requests", "python-urllib", "python-urllib3", "python-httpx", "aiohttp", "scrapy",
        "libwww-perl", "lwp", "go-http-client", "java", "java-http-client", "okhttp", "dalvik", "axios", "node-fetch", "node",
        "node-superagent", "undici", "got", "needle", "bun", "deno", "dart", "postmanruntime", "insomnia", "httpie", "ruby",
        "faraday",
        "http", "rest-client", "typhoeus", "php", "php-soap", "guzzlehttp", "hackney", "reqwest", "lua-resty-http", "winhttp",
        "powershell", "blackbox", "updown",
    ]

    /// Networking libraries of apps; a user agent with one of them and without `AppleWebKit` is not a browser's.
    static let engines: Set<String> = ["cfnetwork", "okhttp", "alamofire", "dalvik"]

    /// Rendering engines, and the words of feature phones and browsers that name no engine.
    static let renderers: Set<String> = [
        "applewebkit", "webkit", "khtml", "gecko", "presto", "trident", "msie", "goanna", "netfront", "opera", "blackberry",
        "ucweb",
        "profile", "midp", "nokia",
    ]

    static let names: [String: RobotReason] = {
        var names: [String: RobotReason] = [:]
        for name in previewers { names[name] = .preview }
        for name in tools { names[name] = .tool }
        for name in crawlers { names[name] = .crawler }
        for name in officePrograms { names[name] = .prefetch }
        return names
    }()

    /// Whether a word or one of its parts ends like a robot's name: `Googlebot-Image`, `Baiduspider`, `archive.org_bot`.
    static func isRobot(_ word: String) -> Bool {
        if isRobotsEnding(word) { return true }
        guard word.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) else { return false }
        return word.split { $0 == "-" || $0 == "_" }.contains(where: isRobotsEnding)
    }

    private static func isRobotsEnding(_ part: some StringProtocol) -> Bool {
        (part.hasSuffix("bot") || part.hasSuffix("spider") || part.hasSuffix("crawler")) && part != "cubot"
    }

    private static let previewers = [
        "facebookexternalhit", "facebot", "twitterbot", "slackbot", "slackbot-linkexpanding", "slack-imgproxy", "discordbot",
        "telegrambot", "linkedinbot", "skypeuripreview", "microsoftpreview", "pinterestbot", "redditbot", "vkshare", "odklbot",
        "embedly", "iframely", "cardyb", "mastodon", "google-pagerenderer", "googleimageproxy", "yahoomailproxy", "bitlybot",
        "line-poker", "kakaotalk-scrap", "blueno", "flipboardproxy", "xing-contenttabreceiver", "bufferlinkpreviewbot",
        "zulipurlpreview", "mattermost-bot", "preview",
    ]

    private static let tools = [
        "uptimerobot", "uptime", "uptime-kuma", "pingdom", "pingdombot", "pingdomtms", "pingdompagespeed", "statuscake", "site24x7",
        "newrelicpinger", "newrelicsynthetics", "datadog", "datadogsynthetics", "betteruptime", "betterstackbot", "hetrixtools",
        "nodeping",
        "checkly", "freshping", "montastic", "jetmon", "gtmetrix", "lighthouse", "chrome-lighthouse", "ptst", "speedcurve",
        "catchpoint",
        "kube-probe", "elb-healthchecker", "googlehc", "googlestackdrivermonitoring-uptimechecks",
        "amazon-route53-health-check-service", "cloudflare-healthchecks", "cloudflare-alwaysonline", "cloudflare-traffic-manager",
        "check_http", "apache-httpclient", "headlesschrome", "phantomjs", "puppeteer", "playwright", "selenium", "jsdom", "httrack",
        "nikto", "nuclei", "sqlmap", "zgrab", "masscan", "censysinspect",
    ]

    private static let crawlers = [
        "slurp", "mediapartners-google", "google-inspectiontool", "googleother", "googleother-image", "googleother-video",
        "apis-google",
        "feedfetcher-google", "google-read-aloud", "google-safety", "google-site-verification", "googleproducer", "google-extended",
        "google-cloudvertexbot", "bingpreview", "ia_archiver", "facebookcatalog", "meta-externalagent", "meta-externalfetcher",
        "meta-webindexer", "chatgpt-user", "perplexity-user", "mistralai-user", "claude-user", "claude-web", "anthropic-ai",
        "daum", "daumoa", "teoma", "omgili", "nutch", "ahrefssiteaudit", "w3c_validator", "feedly", "siteauditbot", "expanse",
        "internetmeasurement", "startpageprivateimageproxy", "j-brw",
    ]

    private static let officePrograms = ["ms-office", "msoffice"]
}
