import RoutePatterns
import Testing

@Suite struct WAAppParametersTests {
    private static let article = WAAppParameters([
        .init(key: "articleID", property: "articleID", kind: .number),
        .init(key: "article_title", property: "articleTitle", kind: .text),
        .init(key: "display_type", property: "displayType", kind: .number),
    ])

    @Test func textIsDecodedWhatWasCapturedForTheSecondTime() {
        let values = Self.article.merge(query: ["article_title": "a%2520b"], parameters: [:])
        #expect(values == ["articleTitle": .text("a%20b")])
        let url = WAAppURL("app://list/a%2520b")
        #expect(url?.components == ["list", "a%20b"])
        #expect(Self.article.merge(query: [:], parameters: ["article_title": "a%20b"]) == ["articleTitle": .text("a b")])
    }

    @Test func whatIsNoNumberLeavesTheDefault() {
        let values = Self.article.merge(defaults: ["displayType": .integer(1)], query: ["display_type": "many"], parameters: [:])
        #expect(values == ["displayType": .integer(1)])
    }

    @Test func whatIsNotAllowedIsDroppedDefaultsIncluded() {
        var article = Self.article
        article.allowed = ["ARTICLEid"]
        let values = article.merge(
            defaults: ["displayType": .integer(1)], query: ["article_title": "x", "articleID": "1"], parameters: ["articleID": "2"])
        #expect(values == ["articleID": .integer(2)])
    }

    @Test func aQueryCarriesWhatIsOnTheWhiteList() {
        let values: [String: RouteValue] = [
            "articleID": .integer(3), "articleTitle": .text("Ben & Jerry"), "displayType": .decimal(1.5),
        ]
        let query = Self.article.query(values, whiteList: ["articleTitle", "articleID", "unknown"])
        #expect(query == "article_title=Ben%20%26%20Jerry&articleID=3")
        #expect(Self.article.query([:], whiteList: ["articleID"]) == "")
    }

    @Test(arguments: [
        ("3", RouteValue.integer(3)), ("-3", .integer(-3)), ("9223372036854775807", .integer(.max)), ("1.5", .decimal(1.5)),
        ("9223372036854775808", .decimal(9_223_372_036_854_775_808)), ("", nil), ("0x10", nil), ("1e3", nil), ("nan", nil),
        ("1,5", nil),
        ("1-2", nil),
    ])
    func aNumberIsReadOrNot(text: String, value: RouteValue?) {
        #expect(RouteValue(number: text) == value)
    }
}
