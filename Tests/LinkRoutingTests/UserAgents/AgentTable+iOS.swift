import LinkRouting

/// User agents as they are really sent, by what sends them: most from logs, dumps and fixtures that others have published, some put
/// together from parts of these where a case would be missing. The expectations are ours.
enum AgentTable {
    static let iOS: [AgentRow] = [
        AgentRow(
            "Safari on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
            .iOS, "17.5.1", .iPhone, .apple, browser: "safari 17.5"),
        AgentRow(
            "Safari of iOS 26, whose system is frozen",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.2 Mobile/15E148 Safari/604.1",
            .iOS, "26.2", .iPhone, .apple, browser: "safari 26.2"),
        AgentRow(
            "Safari of the first iOS 26",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
            .iOS, "26", .iPhone, .apple, browser: "safari 26"),
        AgentRow(
            "Safari of iOS 18.6, which is not frozen",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
            .iOS, "18.6.2", .iPhone, .apple, browser: "safari 18.6"),
        AgentRow(
            "Safari of an old iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 9_1 like Mac OS X) AppleWebKit/601.1.46 (KHTML, like Gecko) Version/9.0 Mobile/13B143 Safari/601.1",
            .iOS, "9.1", .iPhone, .apple, browser: "safari 9"),
        AgentRow(
            "Safari of the very first iPhone, which tells no version",
            "Mozilla/5.0 (iPhone; U; CPU like Mac OS X; en) AppleWebKit/420+ (KHTML, like Gecko) Version/3.0 Mobile/1A543a Safari/419.3",
            .iOS, nil, .iPhone, .apple, browser: "safari 3"),
        AgentRow(
            "Safari on an iPad that asks for mobile pages",
            "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
            .iOS, "17.4", .iPad, .apple, browser: "safari 17.4"),
        AgentRow(
            "Safari on an iPad that says its system is an iPhone's",
            "Mozilla/5.0 (iPad; U; CPU iPhone OS 4_3_2 like Mac OS X; en-us) AppleWebKit/533.17.9 (KHTML, like Gecko) Version/5.0.2 Mobile/8H7 Safari/6533.18.5",
            .iOS, "4.3.2", .iPad, .apple, browser: "safari 5.0.2"),
        AgentRow(
            "Safari on an iPad as it comes, which nothing tells from a Mac",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
            .desktop, nil, .mac, .apple, browser: "safari 18.5"),
        AgentRow(
            "Chrome on an iPad that asks for desktop pages",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/85 Version/11.1.1 Safari/605.1.15",
            .iOS, nil, .iPad, .apple, browser: "chrome 85"),
        AgentRow(
            "Safari on an iPod",
            "Mozilla/5.0 (iPod touch; CPU iPhone OS 12_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.0 Mobile/15E148 Safari/604.1",
            .iOS, "12", .iPod, .apple, browser: "safari 12"),
        AgentRow(
            "Chrome on an iPhone, which is not frozen",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.7390.26 Mobile/15E148 Safari/604.1",
            .iOS, "26", .iPhone, .apple, browser: "chrome 141.0.7390.26"),
        AgentRow(
            "Chrome on an iPod",
            "Mozilla/5.0 (iPod; CPU iPhone OS 14_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/87.0.4280.163 Mobile/15E148 Safari/604.1",
            .iOS, "14.5", .iPod, .apple, browser: "chrome 87.0.4280.163"),
        AgentRow(
            "Firefox on an iPhone, which is frozen and has no Safari's version",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/147.0 Mobile/15E148 Safari/604.1",
            .iOS, nil, .iPhone, .apple, browser: "firefox 147"),
        AgentRow(
            "Firefox on an iPad",
            "Mozilla/5.0 (iPad; CPU OS 15_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/106.0 Mobile/15E148 Safari/605.1.15",
            .iOS, "15.6.1", .iPad, .apple, browser: "firefox 106"),
        AgentRow(
            "Edge on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_7_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 EdgiOS/131.0.2903.92 Mobile/15E148 Safari/605.1.15",
            .iOS, "17.7.2", .iPhone, .apple, browser: "edge 131.0.2903.92"),
        AgentRow(
            "Opera on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1 OPT/5.0.6",
            .iOS, "17.6.1", .iPhone, .apple, browser: "opera 5.0.6"),
        AgentRow(
            "Opera Mini on an iPhone",
            "Opera/9.80 (iPhone; Opera Mini/7.1.32694/27.1407; U; en) Presto/2.8.119 Version/11.10",
            .iOS, nil, .iPhone, .apple, browser: "opera 9.80"),
        AgentRow(
            "DuckDuckGo on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15",
            .iOS, "18.3.2", .iPhone, .apple, browser: "duckduckgo 7"),
        AgentRow(
            "DuckDuckGo on a newer iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1 Ddg/17.5",
            .iOS, "17.5.1", .iPhone, .apple, browser: "duckduckgo 17.5"),
        AgentRow(
            "Brave on an iPhone, when it still said so",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 10_3_1 like Mac OS X) AppleWebKit/603.1.30 (KHTML, like Gecko) Version/10.0 Brave/1.2.11 Mobile/14E304 Safari/602.1",
            .iOS, "10.3.1", .iPhone, .apple, browser: "brave 1.2.11"),
        AgentRow(
            "Yandex on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 YaBrowser/24.6.4.447.10 SA/3 Mobile/15E148 Safari/604.1",
            .iOS, "17.5.1", .iPhone, .apple, browser: "yandex 24.6.4.447.10"),
        AgentRow(
            "Ecosia on an iPhone",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/9.2.1 Mobile/15E148 Safari/605.1.15 Ecosia/9.2.1",
            .iOS, "17.0.1", .iPhone, .apple, browser: "ecosia 9.2.1"),
        AgentRow(
            "a web page on an iPhone's home screen, or a web view that names no app",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", .iOS,
            "17.4",
            .iPhone, .apple, app: .webView),
        AgentRow(
            "a web view of iOS 26, whose version is unknown",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", .iOS,
            nil,
            .iPhone, .apple, app: .webView),
        AgentRow(
            "a web view of an iOS 18 that tells its patch",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", .iOS,
            "18.6.2", .iPhone, .apple, app: .webView),
        AgentRow(
            "a web view on an iPad that is a Mac but for being mobile",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148", .iOS, nil,
            .iPad,
            .apple, app: .webView),
    ]
}
