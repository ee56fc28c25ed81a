/// A pattern with wildcards and variables that matches a whole text: paths, queries and fragments in the vendors' association files.
/// Matching takes time proportional to `weight` times the text's length.
public struct WildcardPattern: Sendable, Hashable {
    public enum Element: Sendable, Hashable {
        case step(PatternStep)
        case anyOf(WordList)
    }

    /// The number of operations at each position of a text, at most ``PatternLimits/weight``.
    public let weight: Int
    private let elements: [Element]
    private let ignoresCase: Bool

    /// Throws for a pattern heavier than ``PatternLimits/weight``.
    public init(_ elements: [Element], ignoringCase ignoresCase: Bool = false) throws(RouteSyntaxError) {
        weight = elements.reduce(0) { $0 + $1.weight }
        guard weight <= PatternLimits.weight else { throw .tooHeavy }
        self.elements = ignoresCase ? elements.map(\.folded) : elements
        self.ignoresCase = ignoresCase
    }

    /// Parses a pattern: `*` is any number of characters, `?` is one, hence `?*` one or more; any other character is itself.
    public init(_ text: String, ignoringCase ignoresCase: Bool = false) throws(RouteSyntaxError) {
        guard text.utf8.count <= PatternLimits.patternLength else { throw .tooLong("the pattern") }
        try self.init(PatternStep.wildcards(text).map(Element.step), ignoringCase: ignoresCase)
    }

    /// Whether the pattern matches the whole text. A text longer than ``PatternLimits/urlLength`` matches nothing.
    public func matches(_ text: String) -> Bool {
        guard text.utf8.count <= PatternLimits.urlLength else { return false }
        let text = MatchedText(ignoresCase ? text.unicodeScalars.map(\.folded) : Array(text.unicodeScalars))
        var starts = PositionSet(noneOf: text.scalars.count)
        starts.insert(text.scalars.count)
        for element in elements.reversed() {
            element.moveBack(&starts, in: text)
            if starts.isEmpty { return false }
        }
        return starts.contains(0)
    }
}

extension WildcardPattern.Element {
    fileprivate var weight: Int {
        switch self {
        case .step: 1
        case .anyOf(let words): words.weight
        }
    }

    fileprivate var folded: WildcardPattern.Element {
        switch self {
        case .step(let step): .step(step.folded)
        case .anyOf(let words): .anyOf(words.folded)
        }
    }

    fileprivate func moveBack(_ starts: inout PositionSet, in text: MatchedText) {
        switch self {
        case .step(let step): step.moveBack(&starts, in: text)
        case .anyOf(let words): words.moveBack(&starts, in: text)
        }
    }
}
