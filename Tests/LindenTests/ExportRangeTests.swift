import Foundation
import Linden
import Testing

@Suite struct ExportRangeTests {
    private let now = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func theLastDayOfARangeBelongsToItWithAllOfIt() throws {
        let range = try ExportRange(from: "2027-01-14", to: "2027-01-14", now: now)
        #expect(range.from.iso8601 == "2027-01-14T00:00:00.000Z")
        #expect(range.to.iso8601 == "2027-01-15T00:00:00.000Z")
    }

    @Test func daysAndTimesWithoutAZoneAreThoseOfTheZoneAskedFor() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(try ExportRange.moment("2027-03-28", isEnd: false, zone: zone).iso8601 == "2027-03-27T23:00:00.000Z")
        #expect(try ExportRange.moment("2027-03-28", isEnd: true, zone: zone).iso8601 == "2027-03-28T22:00:00.000Z")
        #expect(try ExportRange.moment("2027-01-15T09:00:00", isEnd: false, zone: zone).iso8601 == "2027-01-15T08:00:00.000Z")
        #expect(try ExportRange.moment("2027-01-15T09:00:00Z", isEnd: false, zone: zone).iso8601 == "2027-01-15T09:00:00.000Z")
    }

    @Test(arguments: ["2027-02-30", "2027-1-5", "yesterday", "2027-01-15T25:00:00Z", ""])
    func whatIsNoTimeIsRefused(text: String) {
        #expect(throws: Failure.self) { try ExportRange.moment(text, isEnd: false) }
    }

    @Test func aReversedRangeIsRefused() {
        let failure = #expect(throws: Failure.self) { try ExportRange(from: "2027-01-15", to: "2027-01-14", now: now) }
        #expect(failure?.message.contains("before") == true)
    }

    @Test func theColumnsAreBranchsInTheirOrder() {
        let names = ExportColumn.all(of: .click).map(\.name)
        #expect(names.count == 142)
        #expect(names.prefix(3) == ["id", "name", "timestamp"])
        #expect(names.last == "user_data_oaid")
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (951_782_400_001, "2000-02-29T00:00:00.001Z"),
        (1_798_761_599_999, "2026-12-31T23:59:59.999Z"),
        (4_107_542_400_050, "2100-03-01T00:00:00.050Z"), (-1, "1969-12-31T23:59:59.999Z"),
    ])
    func timesAreWrittenAsTheCalendarHasThem(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
    }

    @Test func everyOldFileHasItsColumns() throws {
        #expect(ExportColumn.all(of: .links).count == 13)
        #expect(ExportColumn.all(of: .clicks).count == 25)
        #expect(ExportColumn.all(of: .events).first?.name == "id")
        #expect(ExportColumn.all(of: .events).last?.name == "session_referring_click_id")
        #expect(throws: Failure.self) { try ExportColumn.columns(named: ["user_data_os"], of: .links) }
    }
}
