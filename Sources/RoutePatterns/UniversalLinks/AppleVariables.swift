/// The variables of Apple's patterns, `$(name)`: the predefined ones and the domain's `substitutionVariables`.
public struct AppleVariables: Sendable, Hashable {
    /// The predefined variables alone.
    public static let predefined = AppleVariables(lists: [:])

    private let lists: [String: WordList]

    private init(lists: [String: WordList]) { self.lists = lists }

    /// Creates the variables of a domain; one with the name of a predefined variable replaces it. Values may contain `*` and `?`, but no
    /// variables.
    public init(_ lists: [String: [String]]) throws(RouteSyntaxError) {
        for (name, values) in lists {
            guard !name.isEmpty, !name.unicodeScalars.contains(where: { "$()".unicodeScalars.contains($0) }) else {
                throw RouteSyntaxError(.badName, "'\(name)' names no variable; a name has any characters but $, ( and )")
            }
            guard !values.contains(where: { $0.firstRange(of: "$(") != nil }) else {
                throw RouteSyntaxError(.unsupportedCharacter, "a value of '\(name)' has a variable; only * and ? are allowed")
            }
            guard values.reduce(0, { $0 + $1.utf8.count }) <= AppleVariables.valuesLength else { throw .tooHeavy }
        }
        self.lists = lists.mapValues { WordList($0) }
    }

    /// The maximum total length of a variable's values, in bytes of UTF-8. The number of plain values does not affect the cost of matching.
    private static let valuesLength = 65_536

    func element(_ name: String) -> WildcardPattern.Element? {
        (lists[name] ?? AppleVariables.words[name]).map { .anyOf($0) }
            ?? AppleVariables.classes[name].map { .step(.one($0)) }
    }

    private static let classes: [String: ScalarClass] = [
        "alpha": .alpha, "upper": .upper, "lower": .lower, "alnum": .alnum, "digit": .digit, "xdigit": .xdigit,
    ]

    /// The predefined lists. Apple's documentation names `UK` among the regions, whose ISO code is `GB`.
    private static let words: [String: WordList] = [
        "region": WordList(ISOCodes.regions + ["UK"]), "lang": WordList(ISOCodes.languages),
    ]
}
