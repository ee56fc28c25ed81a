/// Positions of a text, each a bit: those where the rest of a pattern may begin. The position behind the last character is one of them.
struct PositionSet: Sendable, Hashable {
    private(set) var words: [UInt64]

    /// - Parameter count: the number of characters of the text.
    init(noneOf count: Int) {
        words = [UInt64](repeating: 0, count: count / 64 + 1)
    }

    init(allOf count: Int) {
        self.init(noneOf: count)
        for index in words.indices { words[index] = .max }
        words[words.count - 1] >>= UInt64(63 - count % 64)
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    var first: Int? {
        words.firstIndex { $0 != 0 }.map { $0 * 64 + words[$0].trailingZeroBitCount }
    }

    func contains(_ position: Int) -> Bool { words[position / 64] >> UInt64(position % 64) & 1 == 1 }

    mutating func insert(_ position: Int) { words[position / 64] |= 1 << UInt64(position % 64) }

    mutating func removeAll() {
        for index in words.indices { words[index] = 0 }
    }

    mutating func formUnion(_ other: PositionSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    // MARK: Steps

    /// Replaces the positions by those before them whose character is accepted.
    mutating func step(over accepted: ArraySlice<UInt64>) {
        for index in words.indices { words[index] = before(index) & accepted[accepted.startIndex + index] }
    }

    /// Adds the positions before these whose character is accepted.
    mutating func addStep(over accepted: ArraySlice<UInt64>) {
        for index in words.indices { words[index] |= before(index) & accepted[accepted.startIndex + index] }
    }

    /// Replaces the positions by those from which one or more accepted characters lead to them.
    mutating func run(over accepted: ArraySlice<UInt64>) {
        var (isNextIn, isNextStart) = (UInt64(0), UInt64(0))
        for index in words.indices.reversed() {
            var open = accepted[accepted.startIndex + index]
            var starts = (words[index] >> 1 | (isNextIn | isNextStart) << 63) & open
            if open & (open &+ 1) == 0 {
                // All characters up to one are accepted, as where any is.
                if starts != 0 { starts = .max >> UInt64(starts.leadingZeroBitCount) }
            } else if starts != 0 {
                // Each round doubles the distance over which accepted characters have been followed.
                for distance in [1, 2, 4, 8, 16, 32] as [UInt64] {
                    starts |= starts >> distance & open
                    open &= open >> distance
                }
            }
            (isNextIn, isNextStart) = (words[index] & 1, starts & 1)
            words[index] = starts
        }
    }

    /// Adds all positions before these.
    mutating func runOverAll() {
        guard let last = words.lastIndex(where: { $0 != 0 }) else { return }
        words[last] = .max >> UInt64(words[last].leadingZeroBitCount)
        for index in 0..<last { words[index] = .max }
    }

    /// The positions before those of a word and of the first of the next one. Words are replaced in their order, so the next is still the old.
    private func before(_ index: Int) -> UInt64 {
        words[index] >> 1 | (index + 1 < words.count ? words[index + 1] << 63 : 0)
    }
}
