import LinkRouting
import Testing

@Suite struct ClientHintsTests {
    private static let reduced =
        "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Mobile Safari/537.36"
    private static let linux =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36"
    private static let mac =
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15"

    private func hints(_ headers: [String: String]) -> ClientHints {
        ClientHints { headers[$0] }
    }

    @Test func chromeTellsInItsHintsWhatItsUserAgentHides() {
        let visitor = Visitor(
            userAgent: Self.reduced,
            clientHints: hints([
                "Sec-CH-UA": #""Not(A:Brand";v="8", "Chromium";v="144", "Google Chrome";v="144""#, "Sec-CH-UA-Mobile": "?1",
                "Sec-CH-UA-Platform": #""Android""#, "Sec-CH-UA-Model": #""Pixel 8""#, "Sec-CH-UA-Platform-Version": #""15.0.0""#,
            ]))
        #expect(
            visitor
                == Visitor(
                    platform: .android, os: "Android", osVersion: "15", device: .androidPhone, maker: .google, model: "Pixel 8",
                    browser: WebBrowser(.chrome, version: "144")))
    }

    @Test func withoutHintsNothingChanges() {
        for agent in [Self.reduced, Self.linux, Self.mac, "", "curl/8.5.0"] {
            #expect(Visitor(userAgent: agent, clientHints: ClientHints()) == Visitor(userAgent: agent))
        }
    }

    @Test func anAndroidTabletThatAsksAsAComputerIsKnown() {
        let visitor = Visitor(
            userAgent: Self.linux, clientHints: hints(["Sec-CH-UA-Platform": #""Android""#, "Sec-CH-UA-Mobile": "?0"]))
        #expect(visitor.platform == .android)
        #expect(visitor.os == "Android")
        #expect(visitor.device == .androidTablet)
    }

    @Test func aComputerThatAsksAsAPhoneIsAComputer() {
        let phone =
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36"
        let visitor = Visitor(userAgent: phone, clientHints: ClientHints(platform: "Windows", isMobile: false))
        #expect(visitor == Visitor(platform: .desktop, device: .windows, browser: WebBrowser(.chrome, version: "126")))
    }

    @Test func aFireStaysAFireWhateverItHints() {
        let silk =
            "Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/120.2.1 like Chrome/120.0.6099.210 Safari/537.36"
        let visitor = Visitor(userAgent: silk, clientHints: ClientHints(platform: "Android", isMobile: false))
        #expect(visitor.device == .fireTablet)
        #expect(visitor.maker == .amazon)
    }

    @Test func aMacWithATouchScreenIsAnIPad() {
        let visitor = Visitor(userAgent: Self.mac, clientHints: ClientHints(touchPoints: 5))
        #expect(visitor.platform == .iOS)
        #expect(visitor.device == .iPad)
        #expect(visitor.os == "iOS")
        #expect(visitor.osVersion == "18.5")
        #expect(Visitor(userAgent: Self.mac, clientHints: ClientHints(touchPoints: 0)).device == .mac)
        #expect(Visitor(userAgent: Self.linux, clientHints: ClientHints(touchPoints: 10)).device == .linux)
    }

    @Test func braveBetraysItself() {
        let visitor = Visitor(
            userAgent: Self.linux, clientHints: hints(["Sec-CH-UA": #""Chromium";v="144", "Brave";v="144", "Not/A)Brand";v="8""#]))
        #expect(visitor.browser == WebBrowser(.brave, version: "144"))
    }

    @Test func aWebViewNamesItself() {
        let visitor = Visitor(
            userAgent: Self.reduced,
            clientHints: hints(["Sec-CH-UA": #""Android WebView";v="144", "Chromium";v="144", "Not/A)Brand";v="8""#]))
        #expect(visitor.inAppBrowser == .webView)
        #expect(visitor.browser == nil)
    }

    @Test func aHeadlessBrowserIsATool() {
        let visitor = Visitor(userAgent: Self.linux, clientHints: hints(["Sec-CH-UA": #""HeadlessChrome";v="144""#]))
        #expect(visitor.robot == .tool)
    }

    @Test func quotesAreTakenOffAndEmptyHeadersAreNone() {
        let reported = hints(["Sec-CH-UA-Model": #""A \"B\" \\ C""#, "Sec-CH-UA-Platform": #""""#, "Sec-CH-UA-Mobile": "?0"])
        #expect(reported.model == #"A "B" \ C"#)
        #expect(reported.platform == nil)
        #expect(reported.isMobile == false)
        #expect(hints([:]) == ClientHints())
    }

    @Test func whatIsNoVersionIsNone() {
        let reported = hints([
            "Sec-CH-UA": #""Google Chrome";v="latest""#, "Sec-CH-UA-Platform": #""Android""#,
            "Sec-CH-UA-Platform-Version": #""15; DROP""#,
        ])
        let visitor = Visitor(userAgent: Self.reduced, clientHints: reported)
        #expect(visitor.browser == WebBrowser(.chrome))
        #expect(visitor.osVersion == "15")
    }

    @Test func noHintIsLongerThanAName() {
        let reported = hints(["Sec-CH-UA-Model": "\"" + String(repeating: "x\u{301}", count: 500) + "\""])
        #expect(reported.model == String(repeating: "x", count: 64))
    }

    @Test(arguments: ["", "\"", "\"\"", "\"a", "\"a\";v=", "a;v=1", "\"\\", String(repeating: "\"", count: 100_001)])
    func brokenHeadersSayNothingFalse(header: String) {
        let reported = hints(["Sec-CH-UA": header, "Sec-CH-UA-Model": header, "Sec-CH-UA-Platform": header])
        #expect(Visitor(userAgent: Self.mac, clientHints: reported).device == .mac)
    }
}
