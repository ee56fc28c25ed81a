/// The values of a pattern's variable: plain words, and words with wildcards.
public struct WordList: Sendable, Hashable {
    private let words: Set<[Unicode.Scalar]>
    private let lengths: [Int]
    private let patterns: [[PatternStep]]

    /// Creates a list in which `*` and `?` are wildcards.
    public init(_ words: some Sequence<String>) {
        self.init(words.map(PatternStep.wildcards))
    }

    private init(_ alternatives: [[PatternStep]]) {
        var words: Set<[Unicode.Scalar]> = []
        var patterns: [[PatternStep]] = []
        for alternative in alternatives {
            let word = alternative.compactMap(\.literal)
            if word.count == alternative.count { words.insert(word) } else { patterns.append(alternative) }
        }
        self.words = words
        self.patterns = patterns
        lengths = Set(words.map(\.count)).sorted()
    }

    /// The number of operations at each position of a text: plain words are hashed once for each distinct length, words with wildcards are
    /// matched step by step.
    var weight: Int {
        lengths.reduce(0) { $0 + $1 + 1 } + patterns.reduce(0) { $0 + $1.count + 1 }
    }

    var folded: WordList {
        WordList((words.map { $0.map { .one(.exactly($0)) } } + patterns).map { $0.map(\.folded) })
    }

    /// Returns, for each position of the text, whether a word may begin there, given where the rest of the pattern may begin.
    func starts(in text: [Unicode.Scalar], before rest: [Bool]) -> [Bool] {
        var starts = [Bool](repeating: false, count: text.count + 1)
        for length in lengths where length <= text.count {
            for start in 0...(text.count - length) where rest[start + length] && !starts[start] {
                starts[start] = words.contains(Array(text[start..<start + length]))
            }
        }
        for pattern in patterns {
            guard let more = pattern.starts(in: text, before: rest) else { continue }
            for index in starts.indices where more[index] { starts[index] = true }
        }
        return starts
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
