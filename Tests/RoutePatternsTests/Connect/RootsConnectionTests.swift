import RoutePatterns
import Testing

@Suite struct RootsConnectionTests {
    private static let link = "https://s.com/u/1"
    private static let native = AppLinkTag(property: "al:ios:url", content: "app://u/1")
    private static let store = AppLinkTag(property: "al:ios:app_store_id", content: "7")

    private func urls(_ tags: [AppLinkTag], prefersStore: Bool? = nil) -> [String] {
        let options = RootsConnectOptions(alwaysFallsBackToStore: prefersStore)
        return RootsConnection(link: Self.link, tags: tags, options: options).attempts.map(\.url)
    }

    @Test func withoutAnAppTheStoreIsNeverTried() {
        #expect(urls([Self.store], prefersStore: true) == [Self.link])
        #expect(urls([AppLinkTag(property: "al:ios:url", content: "no scheme"), Self.store], prefersStore: true) == [Self.link])
    }

    @Test func anUnknownPreferredStoreLeadsToTheWeb() {
        #expect(urls([Self.native], prefersStore: true) == ["app://u/1", Self.link])
    }

    @Test(arguments: [
        ("true", nil as Bool?, true), ("YES", nil, true), ("1", nil, true), (" -2", nil, true), ("007", nil, true),
        ("false", nil, false), ("0", nil, false), ("", nil, false), ("on", nil, false), ("true", false, false),
        ("false", true, true),
    ])
    func theStoreIsPreferredWhenTheCallerElseThePageSaysSo(page: String, caller: Bool?, toStore: Bool) {
        let tags = [Self.native, Self.store, AppLinkTag(property: "al:web:should_fallback", content: page)]
        #expect(urls(tags, prefersStore: caller).last == (toStore ? "itms-apps://itunes.apple.com/app/id7" : Self.link))
    }

    @Test func aLaterTagBeatsAnEarlierOne() {
        #expect(urls([Self.native, AppLinkTag(property: "al:ios:url", content: "app://u/2")]).first == "app://u/2")
    }

    @Test func aPageLeadsTheBrowserNowhereButToTheWeb() {
        #expect(urls([AppLinkTag(property: "al:web:url", content: "javascript:alert(1)")]) == [Self.link])
    }

    @Test(arguments: [
        ("app://h:81/a%20b%C3%A9?q#f", "app://h:81/a%20b%C3%A9"), ("app:///p", "app:///p"), ("app:p", "app:p"),
        ("app://", "app://"),
    ])
    func theNativeURLIsRebuiltWithoutQueryAndFragment(content: String, url: String) {
        #expect(AppLinkMetadata([AppLinkTag(property: "al:ios:url", content: content)]).nativeURL == url)
    }

    @Test func onlyAppLinksTagsAreScraped() {
        let tags = AppLinkTag.scrape([
            (property: "og:title", content: "T"), (property: "AL:ios:url", content: "x"),
            (property: "al:ios:url", content: "app://u/1"),
        ])
        #expect(tags == [Self.native])
    }

    @Test(arguments: ["", "s.com", "ftp://s.com", "https://", "https://s.com and more", "see https://s.com", "https://s.com\n"])
    func whatIsNoLinkIsAnErrorAndOpensNothing(text: String) {
        let outcome = RootsConnection(link: text, tags: [Self.native]).run { _ in true }
        #expect(outcome.opened.isEmpty)
        #expect(outcome.event == .invalidURL)
    }

    @Test func thePageIsAskedForItsAppLinksTags() {
        let headers = RootsConnectOptions(userAgent: "Agent").requestHeaders
        #expect(headers.map(\.name) == ["Prefer-Html-Meta-Tags", "User-Agent"])
        #expect(headers.map(\.value) == ["al", "Agent"])
    }
}
