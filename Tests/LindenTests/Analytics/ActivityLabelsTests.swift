import LindenReporting
import Testing

@Suite struct ActivityLabelsTests {
    /// Anyone may append labels to a long link. An index of PostgreSQL takes 2,704 bytes.
    @Test func aLabelIsCutHoweverManyMarksACharacterHas() {
        let marked = "e" + String(repeating: "\u{0300}", count: 5000)
        #expect(marked.count == 1)
        let labels = ActivityLabels(channel: marked, campaign: String(repeating: "🍐", count: 200), feature: "harvest")
        #expect(labels.channel.utf8.count == 255)
        #expect(labels.campaign == String(repeating: "🍐", count: 128))
        #expect(labels.feature == "harvest")
    }
}
