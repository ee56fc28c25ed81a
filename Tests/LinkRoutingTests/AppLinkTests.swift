import LinkRouting
import Testing

@Suite struct AppLinkTests {
    @Test func anIntentOpensThePackageOrGoesOnToTheWeb() {
        let link = AppLink(scheme: "orchard", path: "pears?ripe=1", packageName: "com.example.orchard", opensByIntent: true)
        #expect(
            link.intent(clickID: "7", fallback: "https://o.example/?a=b;c#d")
                == "intent://pears?ripe=1&link_click_id=7#Intent;scheme=orchard;package=com.example.orchard;"
                + "S.browser_fallback_url=https%3A%2F%2Fo.example%2F%3Fa%3Db%3Bc%23d;end")
    }

    @Test func withoutAPageItGoesOnToTheStoreByItself() {
        let link = AppLink(scheme: "orchard", path: "open", packageName: "com.example.orchard", opensByIntent: true)
        #expect(
            link.intent(clickID: "7", fallback: nil)
                == "intent://open?link_click_id=7#Intent;scheme=orchard;package=com.example.orchard;end")
    }

    /// A number sign with a combining mark is another character, but the same byte.
    @Test(arguments: ["#", "#\u{301}", "##\u{FE0F}\u{20E3}"])
    func noPathBreaksOutOfAnIntent(sign: String) {
        let link = AppLink(
            scheme: "orchard", path: "x\(sign)Intent;package=com.evil;S.browser_fallback_url=https://evil.example;end",
            opensByIntent: true)
        let intent = link.intent(clickID: "7", fallback: nil)
        #expect(intent.utf8.count(where: { $0 == UInt8(ascii: "#") }) == 1)
        #expect(intent.hasSuffix("#Intent;scheme=orchard;end"))
    }

    @Test func theURIIsForBrowsersThatTakeNoIntent() {
        let link = AppLink(scheme: "orchard", path: "open", packageName: "com.example.orchard")
        #expect(link.address(clickID: "7", fallback: "https://o.example") == "orchard://open?link_click_id=7")
    }
}
