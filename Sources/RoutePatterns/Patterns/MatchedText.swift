/// A text to match with patterns, with the positions of each character and class of characters, by which a step of a pattern is tried at 64
/// positions at once.
struct MatchedText: Sendable, Hashable {
    let scalars: [Unicode.Scalar]
    /// Sets of positions one after another, as the words of a ``PositionSet``: those of the classes, then those of each character.
    private var sets: [UInt64]
    /// Where the set of a character is, in numbers of sets; 0 for a character that the text does not have.
    private var ascii = [Int](repeating: 0, count: 128)
    private var others: [Unicode.Scalar: Int] = [:]

    private static let classes: [ScalarClass] = [.any, .alpha, .upper, .lower, .alnum, .digit, .xdigit]

    init(_ text: String) {
        self.init(Array(text.unicodeScalars))
    }

    init(_ scalars: some Sequence<Unicode.Scalar>) {
        self.scalars = Array(scalars)
        let width = self.scalars.count / 64 + 1
        sets = [UInt64](repeating: 0, count: width * Self.classes.count)
        for (position, scalar) in self.scalars.enumerated() {
            var set = number(of: scalar)
            if set == 0 {
                set = sets.count / width
                if scalar.isASCII { ascii[Int(scalar.value)] = set } else { others[scalar] = set }
                sets += repeatElement(0, count: width)
            }
            sets[set * width + position / 64] |= 1 << UInt64(position % 64)
        }
        for (set, accepted) in Self.classes.enumerated() {
            for position in self.scalars.indices where accepted.contains(self.scalars[position]) {
                sets[set * width + position / 64] |= 1 << UInt64(position % 64)
            }
        }
    }

    /// The positions of the characters that a class accepts; nil if the text has none of them.
    func positions(of accepted: ScalarClass) -> ArraySlice<UInt64>? {
        let set: Int
        switch accepted {
        case .any: set = 0
        case .alpha: set = 1
        case .upper: set = 2
        case .lower: set = 3
        case .alnum: set = 4
        case .digit: set = 5
        case .xdigit: set = 6
        case .exactly(let scalar):
            set = number(of: scalar)
            guard set > 0 else { return nil }
        }
        let width = scalars.count / 64 + 1
        return sets[set * width..<(set + 1) * width]
    }

    private func number(of scalar: Unicode.Scalar) -> Int {
        scalar.isASCII ? ascii[Int(scalar.value)] : others[scalar] ?? 0
    }
}
