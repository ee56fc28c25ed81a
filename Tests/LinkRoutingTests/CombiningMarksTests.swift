import LinkRouting
import Testing

/// Runs of combining marks, whose comparison takes quadratic time.
@Suite struct CombiningMarksTests {
    @Test(arguments: [
        "", "pear", String(repeating: "a", count: 1000), String(repeating: "é", count: 1000), String(repeating: "日本🚀", count: 300),
        "e" + String(repeating: "\u{301}", count: 30), String(repeating: "e\u{301}\u{316}", count: 1000),
        String(repeating: String(repeating: "\u{301}", count: 30) + "-", count: 100),
    ])
    func aTextWithAtMostThirtyMarksInARowIsKept(text: String) {
        #expect(!CombiningMarks.hasLongRun(text))
        #expect(!CombiningMarks.hasLongRun(percentEncoded: PercentCoding.encodeQueryValue(text)))
        #expect(Array(CombiningMarks.cut(text).utf8) == Array(text.utf8))
    }

    /// A mark that decomposes into two counts as two; those from U+0F73 on have no combining class of their own.
    @Test(arguments: [
        ("\u{300}", 1), ("\u{301}\u{316}", 1), ("\u{5B0}", 1), ("\u{3099}", 1), ("\u{1D165}", 1), ("\u{344}", 2), ("\u{F73}", 2),
        ("\u{F75}", 2), ("\u{F81}", 2),
    ])
    func aLongerRunIsFoundWhereverItIsAndCut(marks: String, perScalar: Int) {
        let run = String(repeating: marks, count: 60_000)
        for (start, end) in [("", ""), ("pear", ""), ("", "pear"), ("日本", "🚀")] {
            let text = start + run + end
            #expect(CombiningMarks.hasLongRun(text))
            let cut = CombiningMarks.cut(text)
            #expect(cut.unicodeScalars.count == start.unicodeScalars.count + 30 / perScalar + end.unicodeScalars.count)
            #expect(!CombiningMarks.hasLongRun(cut))
        }
    }

    @Test(arguments: ["\u{344}", "\u{F73}", "\u{F75}", "\u{F81}"])
    func aMarkThatDecomposesIntoTwoCountsTwice(mark: String) {
        let longest = String(repeating: mark, count: 15)
        #expect(!CombiningMarks.hasLongRun("e" + longest + "e"))
        #expect(CombiningMarks.hasLongRun("e" + longest + "\u{301}"))
        #expect(CombiningMarks.hasLongRun(percentEncoded: PercentCoding.encodeQueryValue("e" + longest + "\u{301}")))
        #expect(CombiningMarks.cut("e" + longest + mark + "e").unicodeScalars.count == 17)
    }

    @Test(arguments: [("%CC%80", ""), ("%cc%80", ""), ("%CC%81", "\u{316}"), ("\u{316}", "")])
    func aRunIsFoundBehindPercentEncodingAndCutInDecodedText(mark: String, other: String) {
        let text = "a=b%20c&name=" + String(repeating: mark + other, count: 10_000)
        #expect(CombiningMarks.hasLongRun(percentEncoded: text))
        #expect(!CombiningMarks.hasLongRun(PercentCoding.decode(text)))
        #expect(URLParts.queryItems(text).last?.value.unicodeScalars.count == 30)
    }
}
