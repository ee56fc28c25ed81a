import LindenKernel
import Testing

@Suite struct CSVReaderTests {
    @Test(
        arguments: [
            ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]), ("a,b\n1,2", [["a", "b"], ["1", "2"]]), ("a\rb", [["a"], ["b"]]),
            ("\u{FEFF}a,b\n", [["a", "b"]]), ("\"a,1\",\"say \"\"hi\"\"\"\n", [["a,1", "say \"hi\""]]),
            ("\"two\r\nlines\",x", [["two\r\nlines", "x"]]), ("a,,\n", [["a", "", ""]]), ("\"\",b", [["", "b"]]),
            ("a\n\n\nb\n", [["a"], ["b"]]), ("ä,日本\n", [["ä", "日本"]]), ("", []),
        ] as [(String, [[String]])])
    func rowsAndCellsAreRead(text: String, cells: [[String]]) throws {
        #expect(try CSVReader.rows(Array(text.utf8), atMost: 10, cells: 10).map(\.cells) == cells)
    }

    @Test func rowsHaveTheirNumbersInTheFile() throws {
        #expect(try CSVReader.rows(Array("a\n\n\"x\ny\"\nb".utf8), atMost: 10, cells: 10).map(\.number) == [1, 3, 4])
    }

    @Test(
        arguments: [
            ("a\n\"b", "Row 2 has a quote that is not closed."), ("\"a\"b", "Row 1 has text behind a quoted cell"),
            ("a\nb\nc\nd", "The file may have at most 3 rows."), ("a,b,c,d", "Row 1 has more than 3 cells."),
        ])
    func whatIsNoTableIsRefused(text: String, message: String) {
        let failure = #expect(throws: Failure.self) { try CSVReader.rows(Array(text.utf8), atMost: 3, cells: 3) }
        #expect(failure?.message.hasPrefix(message) == true, "\(failure?.message ?? "")")
    }

    @Test func anotherEncodingIsRefused() {
        let failure = #expect(throws: Failure.self) { try CSVReader.rows([0x61, 0x0A, 0xE4, 0x0A], atMost: 3, cells: 3) }
        #expect(failure?.message == "Row 2 is not text in UTF-8.")
    }

    /// Comparing a cell of 500 KB of them with the name of one column would take a minute.
    @Test(arguments: ["", "a,b\n1,", "a\n\"'"])
    func aRunOfCombiningMarksIsRefusedBeforeCellsAreCompared(before: String) {
        let file = Array((before + "e" + String(repeating: "\u{301}\u{323}", count: 100_000) + "\"\n").utf8)
        let failure = #expect(throws: Failure.self) { try CSVReader.rows(file, atMost: 3, cells: 3) }
        #expect(failure?.message.contains("more than 30 combining marks in a row") == true)
    }
}
