import Linden
import LindenKernel
import LindenReporting
import LinkRouting
import Testing

@testable import SQLStorage

/// Texts that are equal for Swift although their bytes differ: to the database and to parsers they are two.
@Suite struct ByteEqualityTests {
    private static let spellings = ["caf\u{E9}", "cafe\u{301}"]
    private static let scope = Scope(app: App.ID(rawValue: 1), mode: .live)

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test(arguments: [(";", "\u{37E}"), ("K", "\u{212A}"), ("\u{E9}", "e\u{301}")])
    func aUserAgentThatIsSpelledInAnotherWayDoesNotChangeWhatAVisitorIs(part: String, other: String) {
        let (agent, stranger) = ("Mozilla/5.0 (X11\(part) Linux x86_64)", "Mozilla/5.0 (X11\(other) Linux x86_64)")
        #expect(agent == stranger)
        let visitors = VisitorCache()
        for userAgent in [stranger, agent, agent] {
            let expected = Visitor(userAgent: userAgent, clientHints: ClientHints())
            #expect(visitors.visitor(userAgent: userAgent, clientHints: ClientHints()) == expected)
        }
        #expect(visitors.use.misses == 2)
        #expect(visitors.use.hits == 1)
    }

    @Test func tagsAreAddedAndRemovedInTheirSpelling() throws {
        let link = Link(
            id: Link.ID(rawValue: 12), scope: Self.scope, address: LinkAddress(host: "", path: "pears"), hasAlias: true,
            kind: .standard, duration: nil, owner: nil, labels: Labels(tags: [Self.spellings[0]]), data: [:], object: nil,
            source: .api, createdAt: Timestamp(milliseconds: 1_800_000_000_000))
        let both = try LinkChanges(addedTags: Self.spellings).apply(to: link)
        #expect(Self.bytes(both.labels.tags) == Self.bytes(Self.spellings))
        let one = try LinkChanges(removedTags: [Self.spellings[0]]).apply(to: both)
        #expect(Self.bytes(one.labels.tags) == Self.bytes([Self.spellings[1]]))
    }

    @Test func theRulesOfAnEventAreThoseOfItsSpelling() throws {
        var settings = KnownSettings()
        var reads = 0
        for event in Self.spellings + Self.spellings {
            _ = try settings.rules(for: event, in: Self.scope, hasAny: { true }) {
                reads += 1
                return []
            }
        }
        #expect(reads == 2)
    }

    @Test func valuesOfJSONAreEqualIfTheirBytesAre() {
        #expect(JSON.string(Self.spellings[0]) == JSON.string("caf\u{E9}"))
        #expect(JSON.string(Self.spellings[0]) != JSON.string(Self.spellings[1]))
    }

    @Test func twoSpellingsOfANameAreTwoDataSubjects() {
        let subjects = (Self.spellings + Self.spellings).map { DataSubject(kind: .developer, value: $0) }
        #expect(Set(subjects).count == 2)
    }

    @Test func noTextEqualsNoTextOnly() {
        let none: String? = nil
        #expect(none.hasSameBytes(as: nil) && !none.hasSameBytes(as: "") && !Optional("").hasSameBytes(as: nil))
        #expect(Optional(Self.spellings[0]).hasSameBytes(as: Self.spellings[0]))
        #expect(!Optional(Self.spellings[0]).hasSameBytes(as: Self.spellings[1]))
    }
}
