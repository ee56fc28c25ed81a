import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Server

@Suite struct VisitHeadersTests {
    @Test(arguments: [
        ([("Sec-Purpose", "prefetch;prerender")], true), ([("Purpose", "Prefetch")], true), ([("X-Purpose", "preview")], true),
        ([("X-Moz", "prefetch")], true), ([("Purpose", "none"), ("Purpose", "prefetch")], true), ([("Purpose", "none")], false),
        ([], false),
    ])
    func aBrowserThatFetchesAheadSaysSo(fields: [(String, String)], isAhead: Bool) {
        #expect(VisitHeaders(fields).isFetchedAhead == isAhead)
    }

    @Test(arguments: [
        ([], true), ([("sec-fetch-dest", "document")], true), ([("Sec-Fetch-Dest", "image")], false),
        ([("Sec-Fetch-Dest", "document"), ("Sec-Fetch-Dest", "image")], false),
    ])
    func whatIsLoadedIntoAPageIsNoNavigation(fields: [(String, String)], isNavigation: Bool) {
        #expect(VisitHeaders(fields).isNavigation == isNavigation)
    }

    @Test(arguments: [("al", true), ("og, al", true), ("al:ios", true), ("og", false), ("", false)])
    func anAppAsksForItsTags(value: String, wantsTags: Bool) {
        #expect(VisitHeaders([("Prefer-Html-Meta-Tags", value)]).wantsTags == wantsTags)
    }

    @Test func aHeaderIsReadAsFarAsAnyBrowserWrites() {
        let filler = String(repeating: "a,", count: 512)
        #expect(!VisitHeaders([("Prefer-Html-Meta-Tags", filler + "al")]).wantsTags)
        #expect(!VisitHeaders([("Purpose", filler + "prefetch")]).isFetchedAhead)
        #expect(BrowserCookie.value(of: "_s", in: [String(repeating: ";", count: 8000) + "_s=1"]) == "1")
        #expect(
            BrowserCookie.value(of: "_s", in: [String(repeating: ";", count: 8000), String(repeating: ";", count: 192) + "_s=1"])
                == nil)
    }

    @Test(arguments: [
        ("_s=1", "1" as String?), ("a=b; _s=1;c=d", "1"), ("_sx=2; _s=1", "1"), ("_s", nil), ("x_s=1", nil), ("_s=", ""), ("", nil),
    ])
    func aCookieIsFoundAmongOthers(header: String, value: String?) {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/", headerFields: [.cookie: header])
        #expect(Request(head: head, body: RequestBody(buffer: ByteBuffer())).cookie("_s") == value)
    }

    @Test func ofATextThatIsThereTwiceTheFirstCounts() {
        let headers = VisitHeaders([
            ("User-Agent", "a"), ("user-agent", "b"), ("Referer", "https://a.example"), ("Referer", "https://b.example"),
            ("Accept-Language", "de"), ("Accept-Language", "en"), ("Cookie", "_s=1"), ("Sec-CH-UA-Model", "\"Pixel 8\""),
        ])
        #expect(headers.userAgent == "a")
        #expect(headers.referrer == "https://a.example")
        #expect(headers.acceptLanguage == "de")
        #expect(headers.hasCookies && headers.hasClientHints)
    }

    @Test func whatIsNotThereIsMissing() {
        let headers = VisitHeaders([("Accept", "*/*")])
        #expect(headers.userAgent == nil && headers.referrer == nil && headers.acceptLanguage == nil)
        #expect(!headers.hasCookies && !headers.hasClientHints && !headers.wantsTags)
    }
}

extension VisitHeaders {
    fileprivate init(_ fields: [(String, String)]) {
        self.init(HTTPFields(fields.map { HTTPField(name: HTTPField.Name($0.0)!, value: $0.1) }))
    }
}
