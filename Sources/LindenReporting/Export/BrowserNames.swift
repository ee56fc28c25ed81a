import LinkRouting

/// The names of browsers and in-app browsers in exports, by the identifiers under which they are stored.
enum BrowserNames {
    static func name(of word: String) -> String { names[word] ?? word }

    private static let names = Dictionary(
        uniqueKeysWithValues: WebBrowser.Family.allCases.map { ($0.rawValue, $0.name) }
            + InAppBrowser.allCases.map { ($0.rawValue, $0.name) })
}

extension WebBrowser.Family {
    fileprivate var name: String {
        switch self {
        case .safari: "Safari"
        case .chrome: "Chrome"
        case .firefox: "Firefox"
        case .edge: "Edge"
        case .samsungInternet: "Samsung Internet"
        case .opera: "Opera"
        case .duckDuckGo: "DuckDuckGo"
        case .brave: "Brave"
        case .vivaldi: "Vivaldi"
        case .yandex: "Yandex Browser"
        case .ecosia: "Ecosia"
        case .whale: "Whale"
        case .ucBrowser: "UC Browser"
        case .qqBrowser: "QQ Browser"
        case .huaweiBrowser: "Huawei Browser"
        case .miBrowser: "Mi Browser"
        case .heyTap: "HeyTap Browser"
        case .vivoBrowser: "Vivo Browser"
        case .silk: "Amazon Silk"
        case .internetExplorer: "Internet Explorer"
        case .androidBrowser: "Android Browser"
        }
    }
}

extension InAppBrowser {
    fileprivate var name: String {
        switch self {
        case .facebook: "Facebook"
        case .messenger: "Messenger"
        case .instagram: "Instagram"
        case .threads: "Threads"
        case .tiktok: "TikTok"
        case .x: "X"
        case .linkedIn: "LinkedIn"
        case .snapchat: "Snapchat"
        case .pinterest: "Pinterest"
        case .reddit: "Reddit"
        case .weChat: "WeChat"
        case .qq: "QQ"
        case .weibo: "Weibo"
        case .alipay: "Alipay"
        case .baidu: "Baidu"
        case .line: "LINE"
        case .kakaoTalk: "KakaoTalk"
        case .naver: "NAVER"
        case .zalo: "Zalo"
        case .whatsApp: "WhatsApp"
        case .telegram: "Telegram"
        case .viber: "Viber"
        case .slack: "Slack"
        case .discord: "Discord"
        case .teams: "Teams"
        case .outlook: "Outlook"
        case .googleApp: "Google App"
        case .yahoo: "Yahoo"
        case .bing: "Bing"
        case .webView: "WebView"
        }
    }
}
