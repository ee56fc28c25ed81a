import LindenKernel
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "1.50", "-0",
        "1e400",
        "1E+2", "0.1000000000000000055511151231257827", #""""#, #""a\"b\\c\n\t""#, #""äöü 日本 🚀""#, "[]", "{}",
        #"{"b":1,"a":{"c":[null,[1,[2]]]},"":""}"#,
    ])
    func aTextComesBackAsItWas(text: String) throws {
        #expect(try JSON.parse(text).text == text)
    }

    /// The writer looks at eight bytes at a time.
    @Test(arguments: ["\"", "\\", "\n", "\r", "\t", "\u{1}", "\u{1F}"])
    func aSignIsEscapedWhereverItIs(sign: String) throws {
        let escape = String(JSON.string(sign).text.dropFirst().dropLast())
        #expect(escape.hasPrefix("\\") && escape.utf8.count > 1)
        let unescaped = " !#[]~\u{7F}ä日🚀"
        for count in 0...20 {
            let text = String(repeating: "a", count: count)
            let written = JSON.string(text + sign + unescaped + sign + text + sign).text
            #expect(written == "\"" + text + escape + unescaped + escape + text + escape + "\"")
            let nested: JSONObject = [text + sign: .array([.object([sign: .string(sign)])])]
            #expect(JSON.object(nested).text == "{\"\(text)\(escape)\":[{\"\(escape)\":\"\(escape)\"}]}")
        }
    }

    @Test(arguments: [
        (#""\u00e4\u65e5\ud83d\ude80""#, "ä日🚀"), (#""\/\b\f\r""#, "/\u{8}\u{C}\r"), ("\"a\u{1}\u{1F}\nb\"", "a\u{1}\u{1F}\nb"),
        (" \t\r\n\"x\" ", "x"), ("\u{FEFF}\"x\"", "x"), (#""\u0000""#, "\0"),
    ])
    func escapesAndRawControlCharactersAreRead(text: String, value: String) throws {
        #expect(try JSON.parse(text) == .string(value))
    }

    @Test(arguments: [
        "", " ", "nul", "tru", "+1", "01", "-", "1.", ".5", "1e", "0x1", "NaN", "'a'", "\"", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
        "\"\\ud800x\"", "\"\\udc00\"", "\"\\ud800\\ud800\"", "\"a\0b\"", "[1,]", "[1 2]", "[", "{\"a\"}", "{a:1}", "{\"a\":1,}",
        "{\"a\":1",
        "1 2", "{}x",
    ])
    func whatIsNotJSONIsRefused(text: String) {
        #expect(throws: JSONError.self) { try JSON.parse(text) }
    }

    @Test(
        arguments: [
            [0xC3, 0x28], [0xC3], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x5C, 0x6E, 0x80],
            // As many bytes as the replacement character.
            [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func whatIsNotUTF8IsRefused(text: [UInt8]) {
        #expect(throws: JSONError.self) { try JSON.parse([0x22] + text + [0x22]) }
    }

    @Test(arguments: [("\"", "\u{300}", "\""), ("[\"", "\\u0301\\u0316", "\"]"), ("{\"e", "\u{301}\u{316}", "\":1}")])
    func moreThanThirtyCombiningMarksInARowAreRefused(start: String, marks: String, end: String) throws {
        let text = start + String(repeating: marks, count: 60_000) + end
        let isRefused = #expect(throws: JSONError.self) { try JSON.parse(text, within: .untrusted) }
            .map { $0.reason.contains("more than 30 combining marks") }
        #expect(isRefused == true)
        let isRead = (try? JSON.parse(text)) != nil
        #expect(isRead, "What is stored can be read.")
    }

    @Test func equalObjectsHaveOneHashInAnyOrderOfTheirKeys() throws {
        let object = try JSON.parse("{\"\u{e9}\":1,\"e\u{301}\":2,\"\":3,\"pear\":{\"b\":1,\"a\":2}}")
        let same = try JSON.parse("{\"pear\":{\"a\":2,\"b\":1},\"\":3,\"e\u{301}\":2,\"\u{e9}\":1}")
        #expect(object == same)
        #expect(object.sorted.hash == same.sorted.hash)
    }

    @Test func thirtyCombiningMarksInARowAreText() throws {
        let text = "\"" + String(repeating: "e" + String(repeating: "\u{301}", count: 30), count: 100) + "\""
        #expect(try Array(JSON.parse(text).text.utf8) == Array(text.utf8))
    }

    @Test func theSignForWhatIsNotUTF8IsASignLikeAnyOther() throws {
        #expect(try JSON.parse([0x22, 0xEF, 0xBF, 0xBD, 0x22] as [UInt8]) == .string("\u{FFFD}"))
    }

    @Test(arguments: ["[", "{\"a\":"])
    func aHostileDepthIsRefusedAndAReasonableOneRead(opening: String) throws {
        #expect(throws: JSONError.self) { try JSON.parse(String(repeating: opening, count: 1_000_000 / opening.utf8.count)) }
        let deep = String(repeating: "[", count: JSONLimits.stored.depth) + String(repeating: "]", count: JSONLimits.stored.depth)
        #expect(try JSON.parse(deep).text == deep)
        #expect(throws: JSONError.self) { try JSON.parse(deep, within: .untrusted) }
    }

    @Test func ofARepeatedKeyTheLastValueCounts() throws {
        #expect(try JSON.parse(#"{"a":1,"b":2,"a":3}"#).text == #"{"a":3,"b":2}"#)
    }

    @Test func keysThatOnlyLookAlikeAreTwoKeys() throws {
        let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        #expect(try Array(JSON.parse(text).text.utf8) == Array(text.utf8))
    }

    @Test func theOrderOfKeysDoesNotMakeADifferenceButThatOfElementsDoes() throws {
        #expect(try JSON.parse(#"{"a":[1,2],"b":{}}"#) == JSON.parse(#"{"b":{},"a":[1,2]}"#))
        #expect(try JSON.parse("[1,2]") != JSON.parse("[2,1]"))
    }
}
