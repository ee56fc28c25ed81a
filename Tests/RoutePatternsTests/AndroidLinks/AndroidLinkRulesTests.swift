import RoutePatterns
import Testing

@Suite struct AndroidLinkRulesTests {
    @Test(arguments: [
        ("/x", false), ("/x?a", true), ("/x?a=", true), ("/x?b=1&a=2", true), ("/x?A=1", false), ("/x?a=1&a=2", true),
    ])
    func someItemOfEachNameMustBeThere(url: String, matches: Bool) throws {
        #expect(try AndroidLinkRules([.init(query: ["a": "*"])]).verdict(for: "https://e.com" + url).isMatch == matches)
    }

    @Test func oneOfSeveralItemsIsEnoughAndAMissingFragmentMatchesNothing() throws {
        #expect(try AndroidLinkRules([.init(query: ["a": "2"])]).verdict(for: "https://e.com/?a=1&a=2").isMatch)
        #expect(try !AndroidLinkRules([.init(fragment: "*")]).verdict(for: "https://e.com/x").isMatch)
    }

    @Test func textIsComparedDecoded() throws {
        #expect(try AndroidLinkRules([.init(path: "/café/?*")]).verdict(for: "https://e.com/caf%C3%A9/x").isMatch)
        #expect(try !AndroidLinkRules([.init(path: "/café/?*")]).verdict(for: "https://e.com/caf%C3%A9/").isMatch)
    }

    @Test(arguments: [
        AndroidLinkComponent(), AndroidLinkComponent(path: ""), AndroidLinkComponent(fragment: ""),
        AndroidLinkComponent(query: [:]),
        AndroidLinkComponent(path: "/x", query: [:]), AndroidLinkComponent(query: ["a": ""]),
        AndroidLinkComponent(query: ["": "a"]),
        AndroidLinkComponent(path: String(repeating: "a", count: 1_025)), AndroidLinkComponent(excludes: true),
    ])
    func oneEmptyFieldDiscardsThemAll(component: AndroidLinkComponent) {
        #expect(throws: RouteSyntaxError.self) { try AndroidLinkRules([.init(path: "*"), component]) }
    }
}
