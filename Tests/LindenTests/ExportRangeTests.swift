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
}
