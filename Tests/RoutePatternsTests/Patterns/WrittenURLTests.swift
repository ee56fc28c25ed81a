import LinkRouting
import RoutePatterns
import Testing

@Suite struct WrittenURLTests {
    @Test func everyPartStaysAsItIsWritten() {
        let url = WrittenURL("HTTPS://User:pw@Go.Example.com:8443/a%2fb/?x=1=2&&y&=z#Frag?no")
        #expect(url.scheme == "HTTPS")
        #expect(url.host == "Go.Example.com")
        #expect(url.port == "8443")
        #expect(url.path == "/a%2fb/")
        #expect(url.fragment == "Frag?no")
        let items = [QueryItem(name: "x", value: "1=2"), QueryItem(name: "y", value: ""), QueryItem(name: "", value: "z")]
        #expect(url.queryItems == items)
    }

    @Test(arguments: [
        ("app:///p", "app", ""), ("app:p", "app", nil), ("//h/p", "", "h"), ("http://[::1]:80/", "http", "[::1]"), ("", "", nil),
        ("a b://h", "", nil), ("://h", "", nil), ("http://h:/", "http", "h"),
    ])
    func schemeAndHostAreReadOrMissing(text: String, scheme: String, host: String?) {
        #expect(WrittenURL(text).scheme == scheme)
        #expect(WrittenURL(text).host == host)
    }

    @Test func aMarkAfterASeparatorDoesNotHideIt() {
        let url = WrittenURL("app://h/\u{301}a?\u{301}b#\u{301}c")
        #expect(url.host == "h")
        #expect(url.query == "\u{301}b")
        #expect(url.fragment == "\u{301}c")
        #expect(WAAppURL("app://h/\u{301}a")?.components == ["h", "\u{301}a"])
    }
}
