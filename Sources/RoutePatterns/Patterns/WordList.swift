/// The values of a pattern's variable: plain words, and words with wildcards.
public struct WordList: Sendable, Hashable {
    private let exact: Words
    /// The words in lower case. They are made once, because thousands of patterns may use the same list.
    private let lowerCase: Words
    private let ignoresCase: Bool

    private var words: Words { ignoresCase ? lowerCase : exact }

    /// Creates a list in which `*` and `?` are wildcards.
    public init(_ words: some Sequence<String>) {
        let alternatives = words.map(PatternStep.wildcards)
        exact = Words(alternatives)
        lowerCase = Words(alternatives.map { $0.map(\.folded) })
        ignoresCase = false
    }

    private init(ignoringCase list: WordList) {
        exact = list.exact
        lowerCase = list.lowerCase
        ignoresCase = true
    }

    /// The number of operations at each position of a text: plain words are hashed once for each distinct length, words with wildcards are
    /// matched step by step.
    var weight: Int { words.lengths.reduce(0) { $0 + $1 + 1 } + words.patterns.reduce(0) { $0 + $1.count + 1 } }

    var folded: WordList { WordList(ignoringCase: self) }

    /// Replaces the positions where the rest of a pattern may begin by those where a word may.
    func moveBack(_ starts: inout PositionSet, in text: MatchedText) {
        let (rest, count) = (starts, text.scalars.count)
        starts.removeAll()
        for length in words.lengths where length <= count {
            for start in 0...(count - length) where rest.contains(start + length) && !starts.contains(start) {
                if words.plain.contains(Array(text.scalars[start..<start + length])) { starts.insert(start) }
            }
        }
        for pattern in words.patterns {
            var more = rest
            if pattern.moveBack(&more, in: text) { starts.formUnion(more) }
        }
    }
}

private struct Words: Sendable, Hashable {
    let plain: Set<[Unicode.Scalar]>
    /// The distinct lengths of plain words.
    let lengths: [Int]
    let patterns: [[PatternStep]]

    init(_ alternatives: [[PatternStep]]) {
        var plain: Set<[Unicode.Scalar]> = []
        var patterns: [[PatternStep]] = []
        for alternative in alternatives {
            let word = alternative.compactMap(\.literal)
            if word.count == alternative.count { plain.insert(word) } else { patterns.append(alternative) }
        }
        self.plain = plain
        self.patterns = patterns
        lengths = Set(plain.map(\.count)).sorted()
    }
}

extension PatternStep {
    /// Parses a text with wildcards: `*` is any number of characters, `?` is one, any other character is itself; there is no escape.
    public static func wildcards(_ text: String) -> [PatternStep] {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "*": .run
            case "?": .one(.any)
            default: .one(.exactly(scalar))
            }
        }
    }

    fileprivate var literal: Unicode.Scalar? {
        if case .one(.exactly(let scalar)) = self { scalar } else { nil }
    }
}
