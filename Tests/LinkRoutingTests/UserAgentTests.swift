import LinkRouting
import Testing

@Suite struct UserAgentTests {
    private static let people: [(agent: String, platform: Platform, os: String?, version: String?)] = [
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
            .iOS, "iOS", "17.5.1"
        ),
        (
            "Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 Version/16.0 Mobile/15E148 Safari/604.1", .iOS,
            "iOS", "16"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 350.0.0.1 (iPhone15,2; iOS 18_1)",
            .iOS, "iOS", "18.1"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/22B83 [FBAN/FBIOS;FBAV/485.1.0;FBDV/iPhone15,2]",
            .iOS, "iOS", "18.1"
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36", .android,
            "Android", "14"
        ),
        (
            "Mozilla/5.0 (Linux; Android 8.1.0; SM-J710MN; wv) AppleWebKit/537.36 Version/4.0 Chrome/126.0 Mobile", .android,
            "Android", "8.1"
        ),
        ("Mozilla/5.0 (Android; Mobile; rv:68.0) Gecko/68.0 Firefox/68.0", .android, "Android", nil),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36", .desktop, nil, nil),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1.15", .desktop, nil, nil),
        ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36", .desktop, nil, nil),
    ]

    @Test(arguments: [
        "Mozilla/5.0 (iPhone; CPU iPhone OS 16_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/20F66 Snapchat/12.41.0.32 (like Safari/8615)",
        "Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36",
        "Mozilla/5.0 (Linux; Android 13; Ruby Pro) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36 [Pinterest/Android]",
    ])
    func aNameThatLooksLikeARobotsIsNone(agent: String) {
        #expect(Visitor(userAgent: agent).robot == nil)
    }

    @Test(arguments: people)
    func aPersonsBrowserTellsItsPlatform(agent: String, platform: Platform, os: String?, version: String?) {
        #expect(Visitor(userAgent: agent) == Visitor(platform: platform, os: os, osVersion: version))
    }

    private static let robots: [(agent: String, reason: RobotReason)] = [
        ("", .unnamed),
        ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", .crawler),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 Safari/605.1.15 (Applebot/0.1)", .crawler),
        ("Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)", .crawler),
        ("facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)", .preview),
        ("Twitterbot/1.0", .preview),
        ("Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", .preview),
        ("Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", .preview),
        ("TelegramBot (like TwitterBot)", .preview),
        ("WhatsApp/2.23.20.0 A", .preview),
        ("LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient)", .preview),
        ("curl/8.5.0", .tool),
        ("python-requests/2.32", .tool),
        ("Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)", .tool),
        ("Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)", .tool),
    ]

    @Test(arguments: robots)
    func aMachineIsKnownAndWhy(agent: String, reason: RobotReason) {
        #expect(Visitor(userAgent: agent).robot == reason)
    }
}
