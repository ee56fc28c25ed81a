/// The variables of Apple's patterns, `$(name)`: the predefined ones, and the domain's `substitutionVariables`.
public struct AppleVariables: Sendable, Hashable {
    /// Without variables of a domain's own.
    public static let predefined = AppleVariables(lists: [:])

    private let lists: [String: WordList]

    private init(lists: [String: WordList]) { self.lists = lists }

    /// A domain's variable with the name of a predefined one takes its place. Values may hold `*` and `?`, but no variables.
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

    /// Bytes that the values of one variable may have together. Plain values cost nothing in matching, however many they are.
    private static let valuesLength = 65_536

    func element(_ name: String) -> WildcardPattern.Element? {
        (lists[name] ?? AppleVariables.words[name]).map { .anyOf($0) }
            ?? AppleVariables.classes[name].map { .step(.one($0)) }
    }

    private static let classes: [String: ScalarClass] = [
        "alpha": .alpha, "upper": .upper, "lower": .lower, "alnum": .alnum, "digit": .digit, "xdigit": .xdigit,
    ]

    /// Apple's documentation names `UK` among the regions, which ISO calls `GB`.
    private static let words: [String: WordList] = [
        "region": WordList(ISOCodes.regions + ["UK"]), "lang": WordList(ISOCodes.languages),
    ]
}
