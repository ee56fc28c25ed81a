import LindenKernel
import Testing

@Suite struct SpellingTests {
    private static let names = ["ios_url", "web_url", "redirect_allowlist"]

    @Test(arguments: [
        ("redirect_alowlist", "redirect_allowlist"), ("redirect_allowlsit", "redirect_allowlist"), ("WEB_URL", "web_url"),
        ("web_urll", "web_url"), ("wb_url", "web_url"), ("ios_url", "ios_url"),
    ])
    func aSlipLeadsToTheNameThatWasMeant(text: String, meant: String) {
        #expect(Spelling.nearest(to: text, in: Self.names) == meant)
    }

    @Test(arguments: ["", "x", "colour", "redirect", String(repeating: "ios_url", count: 20)])
    func whatIsLikeNoNameLeadsToNone(text: String) {
        #expect(Spelling.nearest(to: text, in: Self.names) == nil)
    }

    @Test func ofNamesThatAreEquallyNearTheFirstIsMeant() {
        #expect(Spelling.nearest(to: "pears", in: ["peers", "bears"]) == "peers")
    }
}
