import Foundation
import RoutePatterns
import Testing

@Suite struct RootsFormatTests {
    @Test(arguments: [
        ("u/{id}", "app://u/5/?q=1#f", ["id": "5/?q=1#f"]), ("{a}{b}", "xyz", ["a": "xy"]),
        ("u/{from}-{to}", "app://u/1-2-3", ["from": "1-2"]), ("u/{from}-{to}/{x}", "u/1-2/3", ["from": "1", "x": "3"]),
        ("{a}/{a}", "1/2", ["a": "2"]), ("s.com/{id}", "sXcom/5", ["id": "5"]), ("p*id={id}", "https://s.com/p?id=5", ["id": "5"]),
        ("p*?={id}", "p?a=b=c", ["id": "b=c"]), ("p*={id}", "p?a=b=c", ["id": "c"]), ("a/.+/{id}", "a/b/c", ["id": "c"]),
        ("x/{id}/end?", "x/5/en", ["id": "5"]), ("ab?c/{id}", "ac/5", [:]), ("ab+c/{id}", "abbc/5", [:]),
        ("{你}", "a", ["你": "a"]), ("n/{id}", "n/é👍", ["id": "é👍"]),
    ])
    func aFormatCaptures(format: String, url: String, parameters: [String: String]) throws {
        #expect(try RootsFormat(format).parameters(in: url) == parameters)
    }

    @Test(arguments: [("u/{id}", "app://u/"), ("a*b", "ab"), ("**", "x"), ("ab+c", "ac"), ("A", "a")])
    func aFormatAsksForWhatIsThere(format: String, url: String) throws {
        #expect(try RootsFormat(format).parameters(in: url) == nil)
    }

    @Test(arguments: [
        ("a{b", RouteSyntaxError.Code.unbalancedBraces), ("a}b", .unbalancedBraces), ("{}", .badName), ("{a/b}", .badName),
        ("{a{b}", .badName), ("?a", .unsupportedCharacter), ("a??", .unsupportedCharacter), ("*+", .unsupportedCharacter),
        ("{a}?", .unsupportedCharacter), ("(a)", .unsupportedCharacter), ("[a]", .unsupportedCharacter),
        ("a|b", .unsupportedCharacter), ("^a$", .unsupportedCharacter), ("a\\.b", .unsupportedCharacter), ("", .empty),
        (String(repeating: "a", count: 1_025), .tooLong),
    ])
    func whatCannotBeMeantIsRefused(format: String, code: RouteSyntaxError.Code) {
        let error = #expect(throws: RouteSyntaxError.self) { try RootsFormat(format) }
        #expect(error?.code == code)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["{a}/", "*a", "*?a", "a+"])
    func aHostileFormatComesToAnEnd(piece: String) throws {
        let hopeless = try RootsFormat("c" + String(repeating: piece, count: 200) + "b")
        let hopeful = try RootsFormat(String(repeating: piece, count: 200) + "b")
        let url = String(repeating: "a/", count: 4_000) + "a/ba/ab"
        #expect(hopeless.parameters(in: url) == nil)
        #expect(hopeless.parameters(in: url, anchored: true) == nil)
        #expect((hopeful.parameters(in: url) == nil) == (piece == "a+"))
    }

    /// Formats at random, against the regular expression that they stand for.
    @Test func formatsCaptureWhatARegularExpressionCaptures() throws {
        var generator = SeededGenerator(seed: 2_016)
        var compared = 0
        for _ in 0..<4_000 {
            let format = (0..<Int.random(in: 1...6, using: &generator)).map { place in
                ["a", "b", "/", ".", "*", "?", "+", "{n\(place)}"].randomElement(using: &generator)!
            }.joined()
            guard let mine = try? RootsFormat(format) else { continue }
            let (expression, names) = try reference(format)
            for _ in 0..<4 {
                let url = String(
                    (0..<Int.random(in: 0...7, using: &generator)).map { _ in "ab/?".randomElement(using: &generator)! })
                let range = NSRange(url.startIndex..., in: url)
                let values = expression.firstMatch(in: url, range: range).map { match in
                    Dictionary(
                        names.enumerated().compactMap { place, name in
                            name.map { ($0, String(url[Range(match.range(at: place + 1), in: url)!])) }
                        }, uniquingKeysWith: { $1 })
                }
                #expect(mine.parameters(in: url) == values, "\(format) on \(url)")
                compared += 1
            }
        }
        #expect(compared > 4_000)
    }

    /// The expression for a format, and for each of its groups the name to report.
    private func reference(_ format: String) throws -> (NSRegularExpression, [String?]) {
        let text = format.replacing("*", with: ".+")
        let names = format.matches(of: /\{([^}]*)\}|\//).map { $0.output.1.map(String.init) }
        var isFirst = true
        var reported: [String?] = []
        for name in names {
            if let name { reported.append(isFirst ? name : nil) }
            isFirst = name == nil
        }
        let finder = text.replacing(/\{[^\/]*\}/) { _ in "\\{(.*?)\\}" }
        let isFound = try NSRegularExpression(pattern: finder)
            .firstMatch(in: format, range: NSRange(format.startIndex..., in: format))
        let expression = try NSRegularExpression(pattern: text.replacing(/\{[^}]*\}/) { _ in "(.+)" })
        return (expression, isFound == nil ? reported.map { _ in nil } : reported)
    }
}
