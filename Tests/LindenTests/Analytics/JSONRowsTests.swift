import LindenKernel
import LindenReporting
import Testing

@Suite struct JSONRowsTests {
    @Test func rowsAreWrittenAsAnArrayAsLinesOrAsResults() throws {
        #expect(try text(.array, rows: 2) == #"[{"row":0},{"row":1}]"#)
        #expect(try text(.lines, rows: 2) == "{\"row\":0}\n{\"row\":1}\n")
        #expect(
            try text(.results, rows: 2, ["total_count": 2, "a\"b": ["pear"]])
                == #"{"results":[{"row":0},{"row":1}],"total_count":2,"a\"b":["pear"]}"#)
    }

    @Test func noRowsAreAnEmptyArrayNoLinesOrEmptyResults() throws {
        #expect(try text(.array, rows: 0) == "[]")
        #expect(try text(.lines, rows: 0) == "")
        #expect(try text(.results, rows: 0) == #"{"results":[]}"#)
    }

    @Test(arguments: [JSONRows.Form.array, .lines, .results])
    func writingEndsWithTheRowThatMakesTheRowsTooLong(form: JSONRows.Form) throws {
        var rows = JSONRows(form, upTo: 100)
        var added = 0
        #expect(throws: Failure.self) {
            while added < 1000 {
                try rows.add(["pear": .string(String(repeating: "\u{1}", count: 5))])
                added += 1
            }
        }
        #expect(added == 2 && rows.bytes.count < 200)
    }

    private func text(_ form: JSONRows.Form, rows count: Int, _ members: JSONObject = [:]) throws -> String {
        var rows = JSONRows(form, upTo: 1000)
        for row in 0..<count { try rows.add(["row": JSON(row)]) }
        rows.end(with: members)
        return String(decoding: rows.bytes, as: UTF8.self)
    }
}
