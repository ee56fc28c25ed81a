import LinkRouting
import Testing

/// What a user agent says falsely, or not at all.
@Suite struct ReadingUserAgentsTests {
    private static let iPhones: [(system: String, safari: String?, version: String?)] = [
        ("18_5", "18.5", "18.5"), ("18_5", nil, "18.5"),
        // Frozen, or of that very age: `Version/` decides.
        ("18_6", "18.6", "18.6"), ("18_6", "26.0", "26"), ("18_7", "26.2", "26.2"), ("18_7", "26.0.1", "26.0.1"),
        ("18_7", "18.6", "18.7"),
        ("18_7", "27.0", "27"),
        // Without it the version is unknown.
        ("18_6", nil, nil), ("18_7", nil, nil),
        // A frozen system has no third part.
        ("18_6_2", nil, "18.6.2"), ("18_6_2", "18.6", "18.6.2"), ("18_7_1", nil, "18.7.1"),
        // Apps that write a user agent of their own ask the system itself.
        ("26_1", nil, "26.1"), ("26_1", "26.0", "26.1"),
    ]

    @Test(arguments: iPhones)
    func aFrozenSystemGivesWayToSafarisVersion(system: String, safari: String?, version: String?) {
        let said = safari.map { "Version/\($0) Mobile/15E148 Safari/604.1" } ?? "Mobile/15E148"
        for device in ["iPhone; CPU iPhone OS", "iPad; CPU OS"] {
            let agent = "Mozilla/5.0 (\(device) \(system) like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \(said)"
            #expect(Visitor(userAgent: agent).osVersion == version)
        }
    }

    @Test func androidTenWithoutAModelIsNoVersion() {
        let chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36"
        #expect(Visitor(userAgent: "Mozilla/5.0 (Linux; Android 10; K) \(chrome)").osVersion == nil)
        #expect(Visitor(userAgent: "Mozilla/5.0 (Linux; Android 10) \(chrome)").osVersion == "10")
        #expect(Visitor(userAgent: "Mozilla/5.0 (Linux; Android 10; SM-A205U) \(chrome)").osVersion == "10")
        #expect(
            Visitor(userAgent: "Mozilla/5.0 (Linux; Android 10; K) \(chrome) Reddit/Version 2023.43.0/Android 13").osVersion == "13"
        )
    }

    @Test func anAppsNameAloneIsItsFetcherBehindABrowserItIsTheApp() {
        let browser =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
        for (name, app) in [("WhatsApp/2.24", InAppBrowser.whatsApp), ("Pinterest/9.1", .pinterest), ("Viber/20.1", .viber)] {
            #expect(Visitor(userAgent: name).robot == .preview)
            let visitor = Visitor(userAgent: browser + " " + name)
            #expect(visitor.robot == nil)
            #expect(visitor.inAppBrowser == app)
        }
    }

    @Test func versionsAreSpelledAsTheSDKsSpellThem() {
        #expect(OSVersion.normalized("17_5_1") == "17.5.1")
        #expect(OSVersion.normalized("14.0.0") == "14")
        #expect(OSVersion.normalized("0") == "0")
        #expect(OSVersion.normalized("") == "")
    }
}
