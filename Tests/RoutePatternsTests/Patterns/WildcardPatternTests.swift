import RoutePatterns
import Testing

@Suite struct WildcardPatternTests {
    @Test func everyShortPatternMatchesWhatANaiveMatcherMatches() throws {
        let patterns = words(over: "ab*?", upTo: 4)
        let texts = words(over: "ab", upTo: 5)
        for text in patterns {
            let pattern = try WildcardPattern(text)
            let wrong = texts.filter { pattern.matches($0) != naive(text[...], $0[...]) }
            #expect(wrong.isEmpty, "\(text)")
        }
    }

    @Test func aListOfWordsMatchesWhatAnyOfItsWordsMatches() throws {
        let words = ["a", "ab", "b*a", "?b", ""]
        let pattern = try WildcardPattern([.step(.one(.exactly("a"))), .anyOf(WordList(words)), .step(.run)])
        for text in self.words(over: "ab", upTo: 6) {
            let expected = words.contains { naive("a\($0)*"[...], text[...]) }
            #expect(pattern.matches(text) == expected, "\(text)")
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["*a", "?*", "*"])
    func aHostilePatternComesToAnEnd(piece: String) throws {
        let pattern = try WildcardPattern("c" + String(repeating: piece, count: 500) + "b")
        #expect(!pattern.matches(String(repeating: "a", count: 8_000)))
        #expect(!pattern.matches(String(repeating: "a", count: 8_000) + "b"))
        #expect(pattern.weight <= 1_002)
    }

    @Test(.timeLimit(.minutes(1)))
    func aHostileListOfWordsComesToAnEnd() throws {
        let words = (0..<20).map { String(repeating: "*a", count: $0) + "*b" }
        let list = WildcardPattern.Element.anyOf(WordList(words))
        let pattern = try WildcardPattern([.step(.one(.exactly("c"))), list, list])
        #expect(!pattern.matches(String(repeating: "a", count: 8_000) + "b"))
    }

    @Test func aPatternOrAListTooHeavyIsRefused() throws {
        #expect(throws: RouteSyntaxError.self) { try WildcardPattern(String(repeating: "a", count: 1_025)) }
        let list = WordList([String(repeating: "?", count: 600)])
        #expect(throws: RouteSyntaxError.self) { try WildcardPattern([WildcardPattern.Element](repeating: .anyOf(list), count: 7)) }
    }

    @Test func plainWordsCostTheirLengthsHoweverManyThereAre() throws {
        let pattern = try WildcardPattern([.anyOf(WordList((100...999).map(String.init)))])
        #expect(pattern.weight == 4)
        #expect(pattern.matches("512"))
        #expect(!pattern.matches("51"))
    }

    @Test func aTextLongerThanAURLMatchesNothing() throws {
        #expect(try WildcardPattern("*").matches(String(repeating: "a", count: 8_192)))
        #expect(try !WildcardPattern("*").matches(String(repeating: "a", count: 8_193)))
    }

    @Test(arguments: [
        ("caf?", "café", true), ("caf?", "cafe\u{301}", false), ("caf??", "cafe\u{301}", true), ("?", "👍", true),
        ("?", "👍🏽", false), ("É", "é", false),
    ])
    func aCharacterIsAScalar(pattern: String, text: String, matches: Bool) throws {
        #expect(try WildcardPattern(pattern).matches(text) == matches)
    }

    @Test(arguments: [
        ("/Buy/*", "/bUY/ONE", true), ("É?", "éx", true), ("İ", "i", false), ("ẞ", "ß", true), ("K", "\u{212A}", true),
    ])
    func letterCaseMayNotMatter(pattern: String, text: String, matches: Bool) throws {
        #expect(try WildcardPattern(pattern, ignoringCase: true).matches(text) == matches)
    }

    private func naive(_ pattern: Substring, _ text: Substring) -> Bool {
        switch pattern.first {
        case nil: text.isEmpty
        case "*": naive(pattern.dropFirst(), text) || !text.isEmpty && naive(pattern, text.dropFirst())
        case "?": !text.isEmpty && naive(pattern.dropFirst(), text.dropFirst())
        case let first?: text.first == first && naive(pattern.dropFirst(), text.dropFirst())
        }
    }

    private func words(over alphabet: String, upTo length: Int) -> [String] {
        var words = [""]
        var longest = words
        for _ in 0..<length {
            longest = longest.flatMap { word in alphabet.map { word + String($0) } }
            words += longest
        }
        return words
    }
}
