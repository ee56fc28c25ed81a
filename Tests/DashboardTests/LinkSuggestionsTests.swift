import Linden
import LindenKernel
import Testing

@testable import Dashboard

/// The labels of the latest links, which the form of a link offers.
@Suite struct LinkSuggestionsTests {
    private static let spellings = ["caf\u{E9}", "cafe\u{301}"]

    private static func link(_ labels: Labels) -> Link {
        Link(
            id: Link.ID(rawValue: 12), scope: Sample.scope, address: LinkAddress(host: "go.example.com", path: "pears"),
            hasAlias: true, kind: .standard, duration: nil, owner: nil, labels: labels, data: [:], object: nil, source: .api,
            createdAt: Sample.time)
    }

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func labelsAreOfferedOnceInEachSpelling() {
        let links = (Self.spellings + Self.spellings).map { Self.link(Labels(channel: $0, tags: ["ripe"])) }
        let suggestions = LinkSuggestions(links, folders: [])
        #expect(Self.bytes(suggestions["channel"]) == Self.bytes(Self.spellings))
        #expect(suggestions["campaign"].isEmpty)
        let tabs = suggestions.templates("/form", chosen: LinkForm(links[1])).compactMap(\.tabs).flatMap(\.tabList)
        #expect(Self.bytes(tabs.map(\.tabLabel)) == Self.bytes(["no labels"] + Self.spellings))
        #expect(tabs.map(\.isShown) == [false, false, true])
    }

    @Test func linksWhoseTagsDifferInTheirSpellingHaveDifferentLabels() {
        let links = Self.spellings.map { Self.link(Labels(channel: "mail", tags: [$0])) }
        let tabs = LinkSuggestions(links, folders: []).templates("/form", chosen: LinkForm()).compactMap(\.tabs)
        #expect(tabs.flatMap(\.tabList).count == 3)
    }

    @Test func aLabelThatIsTypedInAnotherSpellingIsAChange() throws {
        let links = Self.spellings.map { Self.link(Labels(channel: $0, tags: [$0])) }
        let changed = try LinkForm(links[1]).changes(of: links[0]).apply(to: links[0])
        let texts = [changed.labels.channel ?? ""] + changed.labels.tags
        #expect(Self.bytes(texts) == Self.bytes([Self.spellings[1], Self.spellings[1]]))
    }
}
