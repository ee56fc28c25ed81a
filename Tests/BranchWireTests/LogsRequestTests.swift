import BranchWire
import Foundation
import Linden
import LindenKernel
import LindenReporting
import Testing

@Suite struct LogsRequestTests {
    private static let order: JSONObject = [
        "report_type": "eo_sms_sent", "start_date": "2027-03-28", "end_date": "2027-03-28", "fields": ["all"],
        "timezone": "Europe/Berlin",
    ]

    private static func read(_ change: JSONObject) throws -> ExportRequest {
        let scope = Scope(app: App.ID(rawValue: 1), mode: .live)
        let now = try #require(Timestamp(iso8601: "2027-04-01T00:00:00Z"))
        return try LogsRequest(RequestFields(order.merging(change)), scope: scope, at: now).export
    }

    @Test func theDayOnWhichClocksChangeIsAsLongAsItIs() throws {
        let export = try Self.read([:])
        #expect(export.range.from.iso8601 == "2027-03-27T23:00:00.000Z")
        #expect(export.range.to.iso8601 == "2027-03-28T22:00:00.000Z")
        #expect(export.topic == .smsSent)
    }

    @Test func allFieldsAreThoseOfTheDailyExportsAndMore() throws {
        let names = try Self.read([:]).columns.map(\.name)
        let daily = ExportColumn.all(of: .smsSent).map { $0.name }
        let further: Set<String> = ["app_name", "attributed", "existing_user", "user_data_geo_lat", "content_items"]
        #expect(Array(names.prefix(142)) == daily)
        #expect(further.isSubset(of: names))
    }

    @Test(arguments: ["gz", "gzip"])
    func aFileMayBeAskedForAsGzip(compression: String) throws {
        #expect(try Self.read(["response_format_compression": .string(compression)]).isGzipped)
        #expect(try !Self.read([:]).isGzipped)
    }

    @Test func timesAreWrittenInTheZoneThatIsAskedFor() throws {
        #expect(try Self.read([:]).times == .branch(in: TimeZone(identifier: "Europe/Berlin")))
        #expect(try Self.read(["timezone": .null]).times == .branch(in: nil))
    }

    private static let mistakes: [JSONObject] = [
        ["responce_format": "json"], ["response_format_compression": "snappy"], ["allow_multiple_files": "many"],
        ["timezone": "EST5EDT5"], ["timezone": "GMT+3:30"],
    ]

    @Test(arguments: mistakes)
    func whatIsNotKnownIsRefused(change: JSONObject) {
        #expect(throws: Failure.self) { try Self.read(change) }
    }
}
