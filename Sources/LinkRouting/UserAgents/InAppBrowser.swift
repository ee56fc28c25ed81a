/// An app that shows pages in its own browser, where links into other apps often fail.
public enum InAppBrowser: String, Sendable, Hashable, CaseIterable {
    case facebook, messenger, instagram, threads
    case tiktok
    case x
    case linkedIn = "linkedin"
    case snapchat, pinterest, reddit
    case weChat = "wechat"
    case qq, weibo, alipay, baidu
    case line
    case kakaoTalk = "kakaotalk"
    case naver, zalo
    case whatsApp = "whatsapp"
    case telegram, viber, slack, discord, teams, outlook
    /// The Google app on iOS and Android.
    case googleApp = "google_app"
    case yahoo, bing
    /// A web view of an app that does not identify itself. On iOS, a web page on the home screen looks the same.
    case webView = "web_view"
}

extension InAppBrowser {
    /// An app with the word of the user agent that identified it.
    struct Named {
        let app: InAppBrowser
        let word: UserAgentText.Word
        /// The words after it.
        let following: ArraySlice<UserAgentText.Word>
    }

    /// Returns the app that a user agent names; nil if none. The first one counts, except that Facebook's other apps and its advertisements
    /// also bear Facebook's mark and replace it.
    static func named(in text: UserAgentText) -> Named? {
        var found: Named?
        for (index, word) in text.words.enumerated() {
            guard let app = app(word, isFirst: index == 0), found == nil || app.refines(found?.app) else { continue }
            found = Named(app: app, word: word, following: text.words[(index + 1)...])
        }
        return found
    }

    /// Returns ``webView`` for an unnamed web view. On Android it has `wv`, and before Android 5 `Version/4.0`, which Chrome lacks; on iOS
    /// it lacks `Safari`.
    static func unnamed(in text: UserAgentText, on device: DeviceFamily?, browser: WebBrowser?) -> InAppBrowser? {
        // A browser that is built on a web view counts as a browser.
        guard browser == nil || browser?.family == .chrome else { return nil }
        switch device?.platform {
        case .android:
            let isOldWebView = browser != nil && text.version(of: "version") == "4"
            return text.fields.contains("wv") || isOldWebView ? .webView : nil
        case .iOS:
            return text.has("applewebkit") && !text.has("safari") && browser == nil ? .webView : nil
        default:
            return nil
        }
    }

    private func refines(_ other: InAppBrowser?) -> Bool {
        other == .facebook && (self == .messenger || self == .webView)
    }

    private static func app(_ word: UserAgentText.Word, isFirst: Bool) -> InAppBrowser? {
        if let app = names[word.name] { return app }
        // Musically and Trill are TikTok's former names; they run into the version: `musical_ly_40.6.0`.
        if word.name.hasPrefix("musical_ly") || word.name.hasPrefix("trill_") { return .tiktok }
        guard let (app, form) = ambiguous[word.name] else { return nil }
        return form.fits(word, isFirst: isFirst) ? app : nil
    }

    private static let names: [String: InAppBrowser] = [
        "fban": .facebook, "fb_iab": .facebook, "fbios": .facebook, "fb4a": .facebook,
        "messengerforios": .messenger, "messengerliteforios": .messenger, "orca-android": .messenger,
        "audiencenetworkforios": .webView, "audiencenetworkforandroid": .webView,
        "instagram": .instagram,
        "tiktok": .tiktok, "bytedancewebview": .tiktok, "ttwebview": .tiktok,
        "twitterandroid": .x,
        "linkedinapp": .linkedIn,
        "micromessenger": .weChat, "weibo": .weibo, "alipayclient": .alipay, "baiduboxapp": .baidu,
        "kakaotalk": .kakaoTalk, "naver": .naver, "zalo": .zalo,
        "telegram-android": .telegram, "slack_ssb": .slack,
        "teamsmobile-ios": .teams, "teamsmobile-android": .teams, "outlook-ios": .outlook, "outlook-android": .outlook,
        "yjapp-ios": .yahoo, "yjapp-android": .yahoo,
        "bingsapphire": .bing, "bingweb": .bing,
    ]

    /// Names that identify an app in one form only. `WhatsApp/2.23` alone is a preview fetcher; `Barcelona` and `Line` are ordinary words.
    private static let ambiguous: [String: (InAppBrowser, Form)] = [
        "barcelona": (.threads, .versioned),
        "twitter": (.x, .named("for i", "for A")),
        "snapchat": (.snapchat, .notFirst), "pinterest": (.pinterest, .notFirst), "reddit": (.reddit, .notFirst),
        "qq": (.qq, .versioned), "line": (.line, .versioned), "gsa": (.googleApp, .versioned),
        "whatsapp": (.whatsApp, .notFirst), "telegram": (.telegram, .notFirst), "viber": (.viber, .notFirst),
        "slack": (.slack, .versioned), "discord": (.discord, .notFirst), "teams": (.teams, .versioned),
    ]

    private enum Form {
        case versioned
        case notFirst
        case named(String, String)

        func fits(_ word: UserAgentText.Word, isFirst: Bool) -> Bool {
            switch self {
            case .versioned: word.version != nil
            case .notFirst: !isFirst
            case .named(let one, let other): word.rest.hasPrefix(" " + one) || word.rest.hasPrefix(" " + other)
            }
        }
    }
}
