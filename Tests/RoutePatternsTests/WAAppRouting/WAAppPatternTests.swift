import RoutePatterns
import Testing

@Suite struct WAAppPatternTests {
    @Test(arguments: [
        ("list/*/extra", "app://list/a/extra/more", nil as [String: String]?), ("*/list/*", "app://a/list/b/c", [:]),
        ("list/:id", "app://list//3", ["id": "3"]), ("list/:id", "app://list/%", ["id": "%"]),
        ("list/:id", "app://list/%ff", ["id": "\u{FFFD}"]),
        ("list/:id", "HTTP://list/3", ["id": "3"]), ("list/:id", "app:///list/3", nil), ("list/:id", "app:list/3", nil),
        ("list/:id", "list/3", nil), ("list/:id", "app://user:pw@list:80/3", ["id": "3"]), ("*", "https://d.com/", [:]),
        ("list/", "app://list", nil), ("list/", "app://list/", nil), ("café", "app://cafe%CC%81", nil),
        ("café", "app://caf%C3%A9", [:]),
        ("*", "app://%2F", nil), (":a/:a", "app://1/2", ["a": "2"]), (":a", "https://h/x%3Fy", ["a": "x?y"]),
        ("http://h.com/list/:id", "http://other.com/list/3", nil), ("http://h.com/list/:id", "https://h.com/list/3", nil),
        ("http://H.com/list/:id", "http://h.com:80/list/3", ["id": "3"]), ("app://list/:id", "other://list/3", nil),
        ("http://h.com//list", "http://h.com/list", nil),
    ])
    func aPatternCaptures(pattern: String, url: String, parameters: [String: String]?) {
        #expect(WAAppURL(url).flatMap { WAAppPattern(pattern).parameters(in: $0) } == parameters)
    }

    @Test(arguments: ["list", "list/:id/*", "*", "app-scheme://list/:id", "http://h.com/list", "a*/x:y", "wow!"])
    func aPatternIsAllowed(pattern: String) throws {
        try WAAppPattern.check(pattern)
    }

    @Test(arguments: [
        ("", RouteSyntaxError.Code.empty), ("/list", .emptyComponent), ("list/", .emptyComponent), ("a//b", .emptyComponent),
        ("list{A}", .unbalancedBraces), ("list/:", .badName), ("list?x=1", .unsupportedCharacter),
        ("http://h.com", .emptyComponent),
        ("http:///list", .emptyComponent), ("://list", .unsupportedCharacter), (String(repeating: "a", count: 1_025), .tooLong),
    ])
    func aPatternThatCouldNotMatchIsRefused(pattern: String, code: RouteSyntaxError.Code) {
        let error = #expect(throws: RouteSyntaxError.self) { try WAAppPattern.check(pattern) }
        #expect(error?.code == code)
    }

    @Test(.timeLimit(.minutes(1)))
    func aHostilePatternComesToAnEnd() throws {
        let pattern = WAAppPattern(String(repeating: "*/", count: 500) + "b/*")
        let url = try #require(WAAppURL("app://" + String(repeating: "a/", count: 4_000)))
        #expect(pattern.parameters(in: url) == nil)
    }

    @Test(arguments: [
        ("a=1&b", ["a": "1", "b": ""]), ("a=1=2", ["a": "1=2"]), ("", [:]), ("a=%20&&a=b+c", ["a": "b+c"]),
        ("a=%2541", ["a": "%2541"]),
    ])
    func aQueryIsReadWithoutDecoding(query: String, values: [String: String]) {
        #expect(WAAppURL("app://list?" + query)?.query == values)
    }
}
