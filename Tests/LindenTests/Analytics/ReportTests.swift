import LindenKernel
import LindenReporting
import Testing

@Suite struct ReportTests {
    @Test func aCellThatASpreadsheetWouldRunGetsAnApostrophe() throws {
        let report = try Report(
            period: nil, dimensions: ["channel"], columns: [Report.Column(name: "total_count", query: nil)], sorting: [], limit: nil
        )
        let channels = ["mail", "=cmd()", "-1,2", "say \"hi\"", "two\nlines", "\r\n"]
        let rows: [JSONObject] =
            channels.map { ["channel": .string($0), "total_count": -5] } + [["channel": .null, "total_count": 1]]
        let text = String(decoding: try report.csv(rows, upTo: 1 << 20), as: UTF8.self)
        #expect(
            text == "channel,total_count\r\nmail,-5\r\n'=cmd(),-5\r\n\"'-1,2\",-5\r\n\"say \"\"hi\"\"\",-5\r\n\"two\nlines\",-5\r\n"
                + "\"'\r\n\",-5\r\n,1\r\n")
        let failure = #expect(throws: Failure.self) { try report.csv(rows, upTo: text.utf8.count - 1) }
        #expect(failure?.message.contains("is longer than") == true)
    }

    @Test func columnsAreGroupedAndSortedByTheirValues() throws {
        let columns = [Report.Column(name: "clicks", query: nil)]
        #expect(throws: Failure.self) {
            try Report(period: nil, dimensions: ["clicks"], columns: columns, sorting: [], limit: nil)
        }
        #expect(throws: Failure.self) {
            try Report(
                period: nil, dimensions: [], columns: columns, sorting: [Report.Sorting(column: "opens", isAscending: true)],
                limit: nil)
        }
    }
}
