import LinkRouting

extension AgentTable {
    static let desktop: [AgentRow] = [
        AgentRow(
            "Chrome on Windows",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36",
            .desktop,
            nil, .windows, browser: "chrome 146"),
        AgentRow(
            "Edge on Windows",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0",
            .desktop, nil, .windows, browser: "edge 130"),
        AgentRow(
            "Edge as it was",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/70.0.3538.102 Safari/537.36 Edge/18.19582",
            .desktop, nil, .windows, browser: "edge 18.19582"),
        AgentRow(
            "Firefox on Windows",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:121.0) Gecko/20100101 Firefox/121.0", .desktop, nil, .windows,
            browser: "firefox 121"),
        AgentRow(
            "Opera on Windows",
            "Mozilla/5.0 (Windows NT 6.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/93.0.4577.82 Safari/537.36 OPR/79.0.4143.72",
            .desktop, nil, .windows, browser: "opera 79.0.4143.72"),
        AgentRow(
            "Internet Explorer",
            "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", .desktop, nil, .windows,
            browser: "internet_explorer 7"),
        AgentRow(
            "Internet Explorer of old",
            "Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0; .NET CLR 2.0.50727; .NET CLR 3.0.4506.2152; .NET CLR 3.5.30729)",
            .desktop, nil, .windows, browser: "internet_explorer 8"),
        AgentRow(
            "a game's browser",
            "Mozilla/5.0 (Windows; U; Windows NT 10.0; en-US; Valve Steam GameOverlay/1674871341; ) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/85.0.4183.121 Safari/537.36",
            .desktop, nil, .windows, browser: "chrome 85.0.4183.121"),
        AgentRow(
            "Yandex on Windows",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 YaBrowser/24.12.0.0 Safari/537.36",
            .desktop, nil, .windows, browser: "yandex 24.12"),
        AgentRow(
            "Chrome on a Mac",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
            .desktop, nil, .mac, .apple, browser: "chrome 141"),
        AgentRow(
            "Firefox on a Mac",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.6; rv:131.0) Gecko/20100101 Firefox/131.0", .desktop, nil, .mac, .apple,
            browser: "firefox 131"),
        AgentRow(
            "DuckDuckGo on a Mac",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15 Ddg/17.4.1",
            .desktop, nil, .mac, .apple, browser: "duckduckgo 17.4.1"),
        AgentRow(
            "Chrome on Linux",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0 Safari/537.36", .desktop, nil,
            .linux,
            browser: "chrome 111"),
        AgentRow(
            "Firefox on Linux",
            "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:124.0) Gecko/20100101 Firefox/124.0", .desktop, nil, .linux,
            browser: "firefox 124"),
        AgentRow(
            "Chrome on a Chromebook",
            "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0 Safari/537.36",
            .desktop,
            nil, .chromeOS, browser: "chrome 111"),
        AgentRow(
            "Slack on a Mac",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.39.90 Chrome/127.0.6533.72 Electron/13.1.9 Safari/537.36",
            .desktop, nil, .mac, .apple, app: .slack),
        AgentRow(
            "Discord on Windows",
            "Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) discord/1.0.9013 Chrome/108.0.5359.215 Electron/22.3.2 Safari/537.36",
            .desktop, nil, .windows, app: .discord),
        AgentRow(
            "Teams on Windows",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Teams/1.5.00.21668 Chrome/85.0.4183.121 Electron/10.4.7 Safari/537.36",
            .desktop, nil, .windows, app: .teams),
        AgentRow(
            "WeChat on Windows",
            "Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/81.0.4044.138 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat(0x63010200)",
            .desktop, nil, .windows, app: .weChat),
    ]

    static let otherDevices: [AgentRow] = [
        AgentRow(
            "a Windows Phone, which claims to be an Android and an iPhone",
            "Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; Lumia 930) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537",
            .desktop, nil, .windowsPhone, browser: "internet_explorer 7"),
        AgentRow(
            "a Windows Phone with Edge",
            "Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.14977",
            .desktop, nil, .windowsPhone, browser: "edge 15.14977"),
        AgentRow(
            "an old Windows Phone",
            "Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0; NOKIA; Lumia 710)", .desktop, nil,
            .windowsPhone, browser: "internet_explorer 9"),
        AgentRow(
            "a BlackBerry 10",
            "Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile Safari/537.10+", .desktop,
            nil,
            .blackBerry),
        AgentRow(
            "an old BlackBerry",
            "BlackBerry9700/5.0.0.862 Profile/MIDP-2.1 Configuration/CLDC-1.1 VendorID/331", .desktop, nil, .blackBerry),
        AgentRow(
            "a BlackBerry between the two",
            "Mozilla/5.0 (BlackBerry; U; BlackBerry 9900; en) AppleWebKit/534.11+ (KHTML, like Gecko) Version/7.1.0.346 Mobile Safari/534.11+",
            .desktop, nil, .blackBerry),
        AgentRow(
            "a BlackBerry that is an Android",
            "Mozilla/5.0 (Linux; Android 8.1.0; BBF100-1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/75.0.3770.101 Mobile Safari/537.36",
            .android, "8.1", .androidPhone, nil, "BBF100-1", browser: "chrome 75.0.3770.101"),
        AgentRow(
            "HarmonyOS that runs no Android apps any more",
            "Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile",
            .desktop, nil, .harmony, .huawei, browser: "chrome 114"),
        AgentRow(
            "Huawei's browser there",
            "Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.1.9.301",
            .desktop, nil, .harmony, .huawei, browser: "huawei_browser 5.1.9.301"),
        AgentRow(
            "KaiOS", "Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5", .desktop, nil, .otherPhone,
            browser: "firefox 48"),
        AgentRow(
            "Symbian",
            "Mozilla/5.0 (SymbianOS/9.4; Series60/5.0 NokiaN97-1/20.0.019; Profile/MIDP-2.1 Configuration/CLDC-1.1) AppleWebKit/525 (KHTML, like Gecko) BrowserNG/7.1.18124",
            .desktop, nil, .otherPhone),
        AgentRow(
            "Sailfish",
            "Mozilla/5.0 (Linux; U; Sailfish 3.0; Mobile; rv:45.0) Gecko/45.0 Firefox/45.0 SailfishBrowser/1.0", .desktop, nil,
            .otherPhone, browser: "firefox 45"),
        AgentRow(
            "a Samsung television",
            "Mozilla/5.0 (SMART-TV; Linux; Tizen 2.4.0) AppleWebkit/538.1 (KHTML, like Gecko) SamsungBrowser/1.1 TV Safari/538.1",
            .desktop, nil, .television, browser: "samsung_internet 1.1"),
        AgentRow(
            "an LG television",
            "Mozilla/5.0 (Web0S; Linux/SmartTV) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0.3945.79 Safari/537.36 WebAppManager",
            .desktop, nil, .television, browser: "chrome 79.0.3945.79"),
    ]
}
