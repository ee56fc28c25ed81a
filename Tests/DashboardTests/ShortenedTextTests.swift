import Testing

@testable import Dashboard

@Suite struct ShortenedTextTests {
    @Test func aListShowsTheBeginningOfALongText() {
        #expect("go.example.com".shortened == "go.example.com")
        #expect(String(repeating: "p", count: 200).shortened.count == 200)
        #expect(String(repeating: "ä", count: 1000).shortened == String(repeating: "ä", count: 100) + "…")
    }
}
