import LinkRouting

/// Example visitors to try out a link, each with a typical user agent.
package struct ExampleVisitor: Sendable {
    package let name: String
    package let userAgent: String

    package var visitor: Visitor { Visitor(userAgent: userAgent) }

    private init(_ name: String, _ userAgent: String) {
        self.name = name
        self.userAgent = userAgent
    }

    package static let all = [
        ExampleVisitor("iphone", safari("iPhone; CPU iPhone OS 18_6 like Mac OS X")),
        ExampleVisitor("ipad", safari("iPad; CPU OS 18_6 like Mac OS X")),
        ExampleVisitor("android", chrome("Pixel 9")),
        ExampleVisitor("samsung", chrome("SM-S938B")),
        ExampleVisitor(
            "huawei",
            "Mozilla/5.0 (Linux; Android 10; VOG-L29; HMSCore 6.15.4.322) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/114.0.5735.196 HuaweiBrowser/15.0.6.301 Mobile Safari/537.36"),
        ExampleVisitor(
            "fire", "Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/130.2.1 Safari/537.36"),
        ExampleVisitor("desktop", desktop("Windows NT 10.0; Win64; x64")),
        ExampleVisitor("windows", desktop("Windows NT 10.0; Win64; x64")),
        ExampleVisitor("mac", desktop("Macintosh; Intel Mac OS X 10_15_7")),
        ExampleVisitor("linux", desktop("X11; Linux x86_64")),
        ExampleVisitor(
            "facebook-app",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22G86 "
                + "[FBAN/FBIOS;FBAV/530.0.0.35.72;FBDV/iPhone16,1;FBSN/iOS;FBSV/18.6]"),
        ExampleVisitor(
            "instagram-app",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/22G86 "
                + "Instagram 390.0.0.28.85 (iPhone16,1; iOS 18_6; en_US; en; scale=3.00; 1179x2556)"),
        ExampleVisitor("facebook", "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"),
        ExampleVisitor("twitter", "Twitterbot/1.0"),
        ExampleVisitor("whatsapp", "WhatsApp/2.23.20.0"),
        ExampleVisitor("slack", "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)"),
        ExampleVisitor("google", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"),
    ]

    private static func safari(_ device: String) -> String {
        "Mozilla/5.0 (\(device)) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"
    }

    private static func chrome(_ model: String) -> String {
        "Mozilla/5.0 (Linux; Android 15; \(model)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36"
    }

    private static func desktop(_ system: String) -> String {
        "Mozilla/5.0 (\(system)) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"
    }
}
