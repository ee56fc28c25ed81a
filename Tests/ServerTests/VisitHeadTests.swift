import Foundation
import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenTesting
import LinkRouting
import NIOHTTP1
import Testing

@testable import Server

/// Random heads mean the same ahead of the router as behind HTTPTypes. Set `FUZZED_HEADS` for more of them.
@Suite struct VisitHeadTests {
    @Test func randomHeadsAreReadAsByTheRouter() throws {
        let count = ProcessInfo.processInfo.environment["FUZZED_HEADS"].flatMap { Int($0) } ?? 5000
        let texts = VisitTexts()
        let options = ServerOptions(trustedProxies: [Network("127.0.0.1")!])
        let peer = try #require(ClientAddress("127.0.0.1"))
        let baseURL = try BaseURL("http://go.example.com")
        var heads = RandomHeads(dice: Dice(seed: 7))
        var taken = 0
        for _ in 0..<count {
            let head = heads.next()
            guard let visit = VisitRequest(head, texts) else { continue }
            taken += 1
            let place = Comment(rawValue: "\(head.uri) \(head.headers)")
            let request = visit.routed
            let headers = VisitHeaders(request.headers)
            #expect(visit.path == request.rawPath, place)
            #expect(visit.query == request.rawQuery, place)
            #expect(visit.host == request.host, place)
            #expect(visit.language == headers.acceptLanguage.flatMap { Language.primary($0) }, place)
            #expect(Self.texts(visit.headers) == Self.texts(headers), place)
            #expect(Self.flags(visit.headers) == Self.flags(headers), place)
            #expect(visit.headers.hasOrigin == (request.headers[.origin] != nil), place)
            #expect(visit.clientHints == request.clientHints, place)
            #expect(visit.cookie("_s") == request.cookie("_s"), place)
            let address = options.clientAddress(by: visit.forwardedAddresses, from: peer)
            #expect(address == options.clientAddress(of: request, from: peer), place)
            let isSecure = options.isSecure(forwardedScheme: visit.headers.forwardedScheme, from: peer, baseURL)
            #expect(isSecure == options.isSecure(request, from: peer, baseURL), place)
        }
        #expect(taken > count / 10)
    }

    private static func texts(_ headers: VisitHeaders) -> [String?] {
        [headers.userAgent, headers.referrer, headers.acceptLanguage]
    }

    private static func flags(_ headers: VisitHeaders) -> [Bool] {
        [
            headers.hasCookies, headers.hasClientHints, headers.isForwarded, headers.isFetchedAhead, headers.isNavigation,
            headers.wantsTags,
        ]
    }
}

/// A generator of heads as the parser delivers them.
private struct RandomHeads {
    var dice: Dice

    private static let names = [
        "user-agent", "referer", "accept-language", "cookie", "origin", "x-forwarded-for", "forwarded", "x-forwarded-proto",
        "sec-fetch-dest", "sec-purpose", "purpose", "x-purpose", "x-moz", "prefer-html-meta-tags", "sec-ch-ua",
        "sec-ch-ua-platform", "sec-ch-ua-mobile", "sec-ch-u", "accept", "x-other", "host", "content-length", "expect",
    ]

    private static let values = [
        "", "document", "image", "prefetch", "al", "og, al", "https", "http", "203.0.113.7", "192.0.2.1, 203.0.113.7", "unknown",
        "for=203.0.113.7;proto=https", "for=\"[2001:db8::17]:4711\"", "_s=12", "a=b; _s=12;c=d", "_s", "\"Android\"", "?1",
        "\"Chromium\";v=\"126\"", "de-DE,de;q=0.9", "null", "Go.Example.com:443", ",", "0",
    ]

    private static let pieces = [
        "a", "B", "/", "?", "=", "&", "%2F", "%zz", ";", ",", " ", "\"", ":", "@", ".", "1", "é", "#", "~",
    ]

    mutating func next() -> HTTPRequestHead {
        var headers = HTTPHeaders()
        if dice.roll(20) > 0 {
            headers.add(name: written("host"), value: dice.pick(["go.example.com", "GO.example.com:80", text()]))
        }
        for _ in 0..<dice.roll(8) {
            // Names that keep a request from being a visit are rare.
            let name = dice.roll(4) == 0 ? dice.pick(Self.names) : dice.pick(Array(Self.names.dropLast(3)))
            headers.add(name: written(name), value: dice.roll(3) == 0 ? text() : dice.pick(Self.values))
        }
        let target = (dice.roll(20) > 0 ? "/" : "") + text().replacing(" ", with: "+")
        return HTTPRequestHead(version: .http1_1, method: .GET, uri: target, headers: headers)
    }

    /// Returns a name with each letter in either case.
    private mutating func written(_ name: String) -> String {
        var written = ""
        for letter in name { written += dice.roll(2) == 0 ? letter.uppercased() : String(letter) }
        return written
    }

    private mutating func text() -> String {
        var text = ""
        for _ in 0..<dice.roll(12) { text += dice.pick(Self.pieces) }
        return text
    }
}
