import Testing

@testable import Pages

/// Untrusted texts in the HTML of a page.
@Suite struct PageTextTests {
    /// A mark joins with the character beside it to one character of Swift, but not for an HTML parser.
    @Test(arguments: ["\u{600}<meta http-equiv=refresh>", "\"\u{301} hidden", "'\u{301}", ">\u{301}", "&\u{301}"])
    func aSpecialCharacterIsEscapedBesideAMark(text: String) {
        let page = specialCharacters(of: Page(PageModel(title: text, in: .english)))
        let plain = specialCharacters(of: Page(PageModel(title: "Pears", in: .english)))
        for character in ["<", ">", "\"", "'"] as [Unicode.Scalar] { #expect(page[character] == plain[character], "\(character)") }
        #expect("\u{600}<&'\u{301}\">".htmlEscaped.utf8.elementsEqual("\u{600}&lt;&amp;&#39;\u{301}&quot;&gt;".utf8))
    }

    @Test func aLongTextIsCutBetweenCharacters() {
        let text = String(repeating: "🍐", count: 1000)
        #expect(text.pageText == String(repeating: "🍐", count: 512))
        #expect(text.prefix(htmlBytes: 7) == "🍐")
        #expect("Pears & plums".prefix(htmlBytes: 10) == "Pears ")
        #expect("Pears & plums".prefix(htmlBytes: 11) == "Pears &")
        #expect("Pears & plums".pageText == "Pears & plums")
    }

    @Test func aURLIsLeftOutRatherThanCut() {
        let url = "https://orchard.example.com/"
        #expect((url + String(repeating: "a", count: 8000)).pageURL != nil)
        #expect((url + String(repeating: "&", count: 8000)).pageURL == nil)
    }

    private func specialCharacters(of page: Page) -> [Unicode.Scalar: Int] {
        var counts: [Unicode.Scalar: Int] = [:]
        for scalar in page.html.unicodeScalars { counts[scalar, default: 0] += 1 }
        return counts
    }
}
