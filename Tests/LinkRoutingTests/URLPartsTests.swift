import LinkRouting
import Testing

@Suite struct URLPartsTests {
    @Test func aURLIsTakenApart() {
        let parts = URLParts("HTTPS://user:pw@Go.Example.com.:8443/a%20b/?x=1&&y=%26&z#frag?no")
        #expect(parts.scheme == "https")
        #expect(parts.host == "go.example.com")
        #expect(URLParts.host(of: "HTTPS://user:pw@Go.Example.com.:8443/a%20b/") == "go.example.com")
        #expect(parts.port == 8443)
        #expect(parts.path == "/a%20b/")
        #expect(parts.fragment == "frag?no")
        #expect(
            parts.queryItems == [
                QueryItem(name: "x", value: "1"), QueryItem(name: "y", value: "&"), QueryItem(name: "z", value: ""),
            ])
    }

    @Test func partsBeyondASCIIAreTakenApartAtTheSameSeparators() {
        let parts = URLParts("https://日本.example/ä/🚀?ö=ü&x=日#é?")
        #expect(parts.host == "日本.example")
        #expect((parts.path, parts.query, parts.fragment) == ("/ä/🚀", "ö=ü&x=日", "é?"))
        #expect(URLParts.appending(QueryItem(name: "a", value: "b"), to: "ä://日/?é#ö") == "ä://日/?é&a=b#ö")
        #expect(URLParts.appending(QueryItem(name: "a", value: "b"), to: "/日?") == "/日?a=b")
    }

    @Test(
        arguments: [
            ("$window=1", "1"), ("%24window=1", "1"), ("a=b&$window=1&$window=2%20+3&c", "2  3"), ("$window", ""), ("$window=", ""),
            ("window=1", nil), ("x$window=1", nil), ("a=$window", nil), ("$windows=1", nil), ("", nil),
        ] as [(String, String?)])
    func theLastValueOfAControlParameterIsFoundInAQuery(query: String, value: String?) {
        #expect(URLParts.lastValue(ofControl: "window", in: query) == value)
    }

    /// Names are compared without decoding them into texts, and must be found as if they were.
    @Test(
        arguments: [
            "a_b=1", "a_b=1&a_b=2", "%61_b=1", "a%5Fb=%201+2", "a%5fb", "a_b", "a_b=", "A_b=1", "a_bc=1", "a_=1", "a%_b=1&a_b=3",
            "a+b=1",
            "x=a_b&y=2&%61%5F%62=3", "a_b%=1", "a_b%0=1&a_b=2", "&&a_b=1", "", "=1", "a%C3%A9=1&a_b=2",
        ])
    func theFirstValueOfANameIsFoundInAQuery(query: String) {
        for name in ["a_b", "a b", "x", "a%_b", "a_b%", "a_b%0", ""] {
            #expect(
                URLParts.firstValue(of: name, in: query) == URLParts.queryItems(query).first { $0.name == name }?.value, "\(name)")
            #expect(URLParts.hasItem(named: name, in: query) == URLParts.queryItems(query).contains { $0.name == name }, "\(name)")
        }
    }

    @Test(arguments: ["", ":", "://", "http:", "http://", "//", "?", "#", "a", "%", "%zz", "http://[::1", "http://:80", "a:b:c"])
    func anythingIsTakenApartWithoutFailing(url: String) {
        let parts = URLParts(url)
        _ = parts.queryItems
        #expect(URLParts.host(of: url) == parts.host)
    }

    @Test(arguments: [("[::1]:80", "[::1]", 80 as Int?), ("EXAMPLE.com", "example.com", nil), ("a:b", "a", nil)])
    func aHostIsReadWithoutItsPort(authority: String, host: String, port: Int?) {
        let read = URLParts.hostAndPort(authority)
        #expect(read.host == host)
        #expect(read.port == port)
    }

    /// Browsers end the host of an address at a backslash, so `example.com` must not count as its domain.
    @Test(arguments: ["evil.example\\.example.com", "evil.example\\@example.com", "evil.example\t.example.com", "evil example.com"])
    func whatIsNoHostNameIsMissing(authority: String) {
        #expect(URLParts("https://" + authority + "/p").host == "")
        #expect(URLParts.host(of: "https://" + authority + "/p") == "")
    }

    @Test func aHostLongerThanAHostNameCanBeIsMissing() {
        let longest = String(repeating: "a.", count: 123) + "example"
        #expect(longest.utf8.count == 253)
        #expect(URLParts("https://\(longest)/x").host == longest)
        #expect(URLParts("https://\(longest).:8443/x").host == longest)
        for host in ["b" + longest, String(repeating: ".", count: 60_000), String(repeating: "\u{130}", count: 100)] {
            let parts = URLParts("https://\(host):8443/x")
            #expect(parts.host == "" && parts.port == 8443 && parts.path == "/x")
        }
    }

    @Test(arguments: [
        ("a%20b", "a b"), ("%E4%BD%A0", "你"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("a+b", "a+b"), ("%ff", "\u{FFFD}"),
    ])
    func percentEscapesAreDecodedLeniently(text: String, decoded: String) {
        #expect(PercentCoding.decode(text) == decoded)
    }

    @Test(arguments: [
        "https://a.example", "https://a.example?", "https://a.example?x=1", "https://a.example?x=1&", "a://b?x=1#c?d",
    ])
    func pairsAreAppendedTogetherAsOneByOne(url: String) {
        let items = [QueryItem(name: "a b", value: "1&2"), QueryItem(name: "c", value: ""), QueryItem(name: "a b", value: "ä#")]
        for count in 0...3 {
            let items = items.prefix(count)
            #expect(URLParts.appending(items, to: url) == items.reduce(url) { URLParts.appending($1, to: $0) })
        }
    }

    @Test(arguments: [
        ("https://a.example/x?_m=1", "https://a.example/x"),
        ("https://a.example/x?a=1&_m=2&b=%20#c?_m=3", "https://a.example/x?a=1&b=%20#c?_m=3"),
        ("https://a.example/?_m=1&_m#top", "https://a.example/#top"), ("https://a.example/_m=1", "https://a.example/_m=1"),
        ("https://a.example/?_mm=1&a=_m", "https://a.example/?_mm=1&a=_m"),
    ])
    func pairsAreRemovedAndTheRestStaysAsWritten(url: String, rest: String) {
        #expect(URLParts.removing(["_m"], from: url) == rest)
    }

    @Test func inAQueryPlusIsASpace() {
        #expect(PercentCoding.decode("a+b%2B", plusIsSpace: true) == "a b+")
    }

    @Test func onlyTheBytesThatAURLMustNotContainAreEncoded() {
        let illegal: Set<UInt8> = Set(0...0x20).union(Array("\"<>\\^`{|}\u{7F}".utf8))
        for byte in UInt8(0)..<0x80 {
            let text = "a" + String(UnicodeScalar(byte)) + "b"
            #expect((PercentCoding.encodeIllegal(text) == text) == !illegal.contains(byte), "\(byte)")
        }
        #expect(PercentCoding.encodeIllegal("/pear s?a=%41&b={ü}") == "/pear%20s?a=%41&b=%7B%C3%BC%7D")
    }
}
