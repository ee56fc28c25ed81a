import Linden
import LindenKernel
import Testing

@testable import LindenReporting

/// Totals of records whose labels anyone may make up.
@Suite struct RollupSumsTests {
    /// Spellings of one letter with seven marks in any order, which are equal for Swift and take long to compare.
    private static let spellings: [String] = (0..<2000).map { number in
        var marks = Array("\u{334}\u{327}\u{31B}\u{323}\u{301}\u{315}\u{345}".unicodeScalars)
        var rest = number
        var text = "a"
        while !marks.isEmpty {
            let place = rest % marks.count
            rest /= marks.count
            text.unicodeScalars.append(marks.remove(at: place))
        }
        return text
    }

    private static func click(
        _ number: Int, channel: String? = nil, campaign: String? = nil, feature: String? = nil, referrer: String? = nil
    ) -> AnalyticsRecord {
        AnalyticsRecord(
            id: IDGenerator.first(at: Timestamp(hour: 500_000)) + Int64(number),
            scope: Scope(app: App.ID(rawValue: 1), mode: .live), topic: .click, link: Link.ID.long, platform: "ios", country: "DE",
            labels: ActivityLabels(channel: channel, campaign: campaign, feature: feature),
            visitor: ActivityVisitor(referrer: referrer), actor: nil)
    }

    private static func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func visitsWithMadeUpLabelsDifferInTheirHashes() {
        #expect(Set(Self.spellings).count == 1)
        for clicks in [
            Self.spellings.map { Self.click(0, channel: $0) }, Self.spellings.map { Self.click(0, campaign: $0) },
            Self.spellings.map { Self.click(0, feature: $0) },
        ] {
            #expect(Set(clicks.map { RollupGroup($0).hashValue }).count == clicks.count)
        }
    }

    @Test func twoSpellingsOfAValueAreCountedApart() {
        let spellings = ["caf\u{E9}", "cafe\u{301}"]
        var sums = RollupSums()
        for (number, text) in (spellings + spellings).enumerated() {
            sums.add(Self.click(number, channel: text, referrer: text))
        }
        for dimension in [Dimension.channel, .referrer] {
            let counted = sums.filter { $0.key.dimension == dimension }
            #expect(Self.bytes(counted.map(\.key.value)) == Self.bytes(spellings))
            #expect(counted.map(\.value.count) == [2, 2])
        }
    }

    @Test func fewTotalsAreHeldApartHoweverManyLabelsAreMadeUp() {
        var sums = RollupSums()
        for (number, text) in Self.spellings.enumerated() { sums.add(Self.click(number, channel: text)) }
        #expect(sums.groupCount <= RollupSums.mostGroups + 1)
        let channels = sums.filter { $0.key.dimension == .channel }
        #expect(channels.count == Self.spellings.count)
        #expect(channels.allSatisfy { $0.value.count == 1 })
        #expect(sums.first(where: { $0.key.dimension == nil })?.value.count == 2000)
        #expect(sums.filter { $0.key.dimension == .os }.map(\.value.count) == [2000])
    }
}
