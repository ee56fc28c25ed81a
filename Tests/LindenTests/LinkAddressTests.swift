import Linden
import Testing

@Suite struct LinkAddressTests {
    @Test func aPathLongerThanAnyAliasIsNoLinkAddress() throws {
        let url = try BaseURL("https://go.example.com")
        for path in [String(repeating: "a", count: 5_000), String(repeating: "%F0%9D%85%A0", count: 5_000)] {
            #expect(url.addresses(host: "go.example.com", path: "/" + path, isRegistered: true).isEmpty)
        }
    }

    @Test func anAliasOfTheMaximumLengthHasOneAddressInEitherNormalForm() throws {
        let url = try BaseURL("https://go.example.com")
        let addresses = ["\u{1F82}", "\u{3B1}\u{313}\u{300}\u{345}"].map { letter in
            url.addresses(host: "go.example.com", path: "/" + String(repeating: letter, count: 128), isRegistered: false)
        }
        #expect(addresses[0].count == 1)
        #expect(addresses[0] == addresses[1])
    }
}
