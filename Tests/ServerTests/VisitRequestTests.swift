import LinkRouting
import NIOCore
import NIOHTTP1
import Testing

@testable import Server

/// Requests that may be visits, as the parser delivers them.
@Suite struct VisitRequestTests {
    @Test(
        arguments: [
            ("/abc", "/abc", nil), ("/abc?", "/abc", ""), ("/abc?a=b", "/abc", "a=b"), ("/a?b?c", "/a", "b?c"), ("/?x", "/", "x"),
            ("//a/", "//a/", nil),
        ] as [(String, String, String?)])
    func aTargetIsPathAndQuery(target: String, path: String, query: String?) throws {
        let request = try #require(visit(target))
        #expect(request.path == path)
        #expect(request.query == query)
        #expect(request.routed.rawPath == path)
        #expect(request.routed.rawQuery == query)
        #expect(request.host == request.routed.host)
    }

    @Test(arguments: ["abc", "*", "http://go.example.com/abc", "/a#b", "/a?b#c", "/\u{E9}", ""])
    func anyOtherTargetIsLeftToTheRouter(target: String) {
        #expect(visit(target) == nil)
    }

    @Test(arguments: [
        ("Content-Length", "1"), ("Content-Length", "00"), ("transfer-encoding", "chunked"), ("EXPECT", "100-continue"),
        ("User-Agent", " a"), ("User-Agent", "a\t"), ("X-Long", String(repeating: "a", count: 64 << 10)),
    ])
    func aRequestWithABodyOrAnIrregularHeaderIsLeftToTheRouter(name: String, value: String) {
        #expect(visit("/abc", [(name, value)]) == nil)
    }

    @Test func anAnnouncedBodyOfNoBytesIsNone() throws {
        #expect(try #require(visit("/abc", [("Content-Length", "0")])).path == "/abc")
    }

    @Test func onlyAGetMayBeAVisit() {
        let head = HTTPRequestHead(version: .http1_1, method: .HEAD, uri: "/abc", headers: ["Host": "go.example.com"])
        #expect(VisitRequest(head, VisitTexts()) == nil)
    }

    @Test func namesOfHeadersAreReadInAnyCase() throws {
        let request = try #require(
            visit("/abc", [("ACCEPT-LANGUAGE", "de-DE,de"), ("cookie", "a=b; _s=12"), ("sec-CH-ua-Platform", "\"Android\"")]))
        #expect(request.language == "de")
        #expect(request.cookie("_s") == "12")
        #expect(request.clientHints.platform == "Android")
    }

    @Test func theHostIsReadWithoutPortInLowerCase() throws {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/abc", headers: ["Host": "GO.Example.com:8080"])
        #expect(try #require(VisitRequest(head, VisitTexts())).host == "go.example.com")
    }

    private func visit(_ target: String, _ headers: [(String, String)] = []) -> VisitRequest? {
        let headers = HTTPHeaders([("Host", "go.example.com")] + headers)
        return VisitRequest(HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: headers), VisitTexts())
    }
}

@Suite struct RepeatedTextsTests {
    @Test func whatIsKnownIsNotDerivedAgain() {
        var texts = RepeatedTexts<Int>()
        var derived = 0
        for _ in 0..<3 {
            let length = texts.value(for: "go.example.com") { text in
                derived += 1
                return text.utf8.count
            }
            #expect(length == 14)
        }
        #expect(derived == 1)
    }

    /// More texts than there are places.
    @Test func textsThatShareAPlaceKeepTheirOwnValues() {
        var texts = RepeatedTexts<String>()
        for _ in 0..<2 {
            for number in 0..<500 {
                let value = texts.value(for: "host\(number)") { $0 + "!" }
                #expect(value == "host\(number)!")
            }
        }
    }

    /// Both are equal as strings.
    @Test func textsAreComparedByTheirBytes() {
        var texts = RepeatedTexts<Int>()
        let composed = texts.value(for: "\u{E9}") { $0.utf8.count }
        let decomposed = texts.value(for: "e\u{301}") { $0.utf8.count }
        #expect(composed == 2)
        #expect(decomposed == 3)
    }
}
