import RoutePatterns
import Testing

@Suite struct AppleLinkRulesTests {
    private func verdict(
        _ components: AppleLinkComponent..., variables: [String: [String]] = [:], for url: String
    ) throws -> LinkVerdict {
        try AppleLinkRules(components: components, variables: AppleVariables(variables)).verdict(for: "https://e.com" + url)
    }

    @Test func theFirstRuleThatMatchesDecidesAndIsNamed() throws {
        let rules: [AppleLinkComponent] = [.init(path: "/a"), .init(path: "/b*", excludes: true), .init(path: "*")]
        let compiled = try AppleLinkRules(components: rules)
        #expect(compiled.verdict(for: "https://e.com/bc") == .exclude(rule: 1))
        #expect(compiled.verdict(for: "https://e.com/c") == .match(rule: 2))
        #expect(compiled.verdict(for: "app://e.com/c") == .noRule)
        #expect(compiled.verdict(for: "https://e.com/" + String(repeating: "c", count: 8_192)) == .noRule)
    }

    @Test(arguments: [
        ("/a%2Fb", "/a%2Fb", nil as Bool?, true), ("/a/b", "/a%2Fb", nil, false), ("/a/b", "/a%2Fb", false, true),
        ("/a%2fb", "/a%2Fb", nil, false), ("/café", "/caf%C3%A9", false, true), ("/café", "/café", nil, false),
        ("/caf%C3%A9", "/café", nil, true), ("/a b", "/a%20b", false, true), ("/a%20b", "/a%20b", false, false),
        ("/a+b", "/a b", false, false),
    ])
    func patternsAreComparedInEscapesUnlessTheySayOtherwise(pattern: String, path: String, encoded: Bool?, matches: Bool) throws {
        let component = AppleLinkComponent(path: pattern, settings: AppleLinkSettings(percentEncoded: encoded))
        #expect(try verdict(component, for: path).isMatch == matches)
    }

    @Test(arguments: [
        ("*", "", true), ("*", "?b", true), ("?*", "?b", false), ("", "?a=", true), ("", "?a=x", false), ("x*", "?a=x&a=xy", true),
        ("x*", "?a=x&a=y", false), ("x*", "?a=x&A=y", true), ("x=*", "?a=x=y", true), ("x", "?%61=x", false),
    ])
    func everyInstanceOfAnItemMustMatchAndAMissingOneIsEmpty(pattern: String, query: String, matches: Bool) throws {
        #expect(try verdict(.init(query: .items(["a": pattern])), for: "/" + query).isMatch == matches)
    }

    @Test func aPathWithoutASlashMeansTheSameAndNoPathIsTheRoot() throws {
        #expect(try verdict(.init(path: "abc"), for: "/abc").isMatch)
        #expect(try verdict(.init(path: "/"), for: "").isMatch)
        #expect(try verdict(.init(path: "?*"), for: "").isMatch == false)
    }

    @Test(arguments: [
        ("$(alpha)", "Q", true), ("$(alpha)", "é", false), ("$(lower)", "q", true), ("$(lower)", "Q", false),
        ("$(alnum)", "7", true),
        ("$(digit)", "77", false), ("$(xdigit)", "f", true), ("$(region)", "GB", true), ("$(region)", "UK", true),
        ("$(region)", "gb", false),
        ("$(lang)", "de", true), ("$(lang)", "DE", false), ("$(lang)", "xx", false), ("$(lang)-$(region)", "de-CH", true),
        ("$(f?od)", "taco12", true), ("$(f?od)", "Taco", false), ("$", "$", true), ("$x)", "$x)", true),
    ])
    func aVariableStandsForItsValues(pattern: String, text: String, matches: Bool) throws {
        let variables = ["f?od": ["taco*", "p?zza"]]
        #expect(try verdict(.init(path: "/" + pattern), variables: variables, for: "/" + text).isMatch == matches)
    }

    @Test func letterCaseOfVariablesMayNotMatterEither() throws {
        let settings = AppleLinkSettings(caseSensitive: false)
        #expect(try verdict(.init(path: "/$(upper)$(region)", settings: settings), for: "/auk").isMatch)
        #expect(try verdict(.init(path: "/$(x)", settings: settings), variables: ["x": ["Taco"]], for: "/tACO").isMatch)
    }

    @Test(arguments: ["/$(unknown)", "/$(lang", "/$()"])
    func anUnknownVariableIsRefused(pattern: String) {
        #expect(throws: RouteSyntaxError.self) { try AppleLinkRules(components: [.init(path: pattern)]) }
    }

    @Test(arguments: [["a)": ["x"]], ["": ["x"]], ["a": ["$(b)"]], ["a": [String(repeating: "x", count: 65_537)]]])
    func aVariableThatCannotBeMeantIsRefused(variables: [String: [String]]) {
        #expect(throws: RouteSyntaxError.self) { try AppleVariables(variables) }
    }

    @Test func theStandardsCodesAreThere() {
        #expect(ISOCodes.regions.count == 249)
        #expect(Set(ISOCodes.languages).isSuperset(of: ["en", "de", "zh", "ar"]))
        #expect((ISOCodes.regions + ISOCodes.languages).allSatisfy { $0.count == 2 })
    }

    @Test(arguments: [
        ("NOT /a", "/a", "exclude"), ("NOT/a", "/a", "none"), ("a", "/a", "none"), ("/A", "/a", "none"), ("*", "", "match"),
    ])
    func aLegacyPathIsTakenAtItsWord(path: String, url: String, result: String) throws {
        #expect(try AppleLinkRules(paths: [path]).verdict(for: "https://e.com" + url).name == result)
    }
}

@Suite struct AppleAppLinksTests {
    private static func links() throws -> AppleAppLinks {
        try AppleAppLinks(details: [
            .init(appIDs: ["A"], components: [.init(path: "/a/x", excludes: true), .init(path: "/a/*")], paths: ["*"]),
            .init(appIDs: ["B", "C"], paths: ["/a/x", "/b"]),
        ])
    }

    /// Were the words put into lower case for each rule, they would take gigabytes.
    @Test(.timeLimit(.minutes(1))) func thousandsOfRulesMayUseAVariableOfManyWords() throws {
        let words = (0..<10_000).map { "Wx\($0)" }
        let links = try AppleAppLinks(
            details: [.init(appIDs: ["A"], components: [AppleLinkComponent](repeating: .init(path: "/$(v)"), count: 6000))],
            defaults: AppleLinkSettings(caseSensitive: false), substitutionVariables: ["v": words])
        #expect(links.answer(for: "https://e.com/wX9999").verdict == .match(rule: 0))
        #expect(links.answer(for: "https://e.com/wX10000").verdict == .noRule)
    }

    @Test func rulesThatAreTooLongTogetherAreRefused() throws {
        let long = AppleLinkComponent(path: "/" + String(repeating: "a", count: 1000))
        func links(_ count: Int) throws -> AppleAppLinks {
            try AppleAppLinks(details: [AppleAppLinks.Detail](repeating: .init(appIDs: ["A"], components: [long]), count: count))
        }
        _ = try links(257)
        let refused = #expect(throws: RouteSyntaxError.self) { try links(258) }
        #expect(refused?.message.contains("at most 262144 characters are allowed") == true)
    }

    @Test func anEntryIsAskedForItsOwnApps() throws {
        let links = try Self.links()
        #expect(links.answer(for: "https://e.com/a/1") == .init(verdict: .match(rule: 1), detail: 0, appIDs: ["A"]))
        #expect(links.answer(for: "https://e.com/b") == .init(verdict: .match(rule: 1), detail: 1, appIDs: ["B", "C"]))
        #expect(links.answer(for: "https://e.com/b", appID: "A").verdict == .noRule)
        #expect(links.answer(for: "https://e.com/c").verdict == .noRule)
    }

    @Test func anExclusionSpeaksForItsOwnAppsOnly() throws {
        let links = try Self.links()
        #expect(links.answer(for: "https://e.com/a/x").appIDs == ["B", "C"])
        #expect(links.answer(for: "https://e.com/a/x", appID: "A").verdict == .exclude(rule: 0))
    }
}
