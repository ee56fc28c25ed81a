/// A step of a pattern, which matches part of a text.
public enum PatternStep: Sendable, Hashable {
    /// The greediness of a step. It never changes whether a text matches, only the text that a parameter captures.
    public enum Appetite: Sendable, Hashable {
        case most, least
    }

    /// One character.
    case one(ScalarClass)
    /// One character or none, preferably one.
    case optional(ScalarClass)
    /// One or more characters.
    case many(ScalarClass, Appetite)
    /// Any number of characters, including none.
    case run
}

extension PatternStep {
    /// Returns, for each position of the text, whether this step may begin there, given where the rest of the pattern may begin.
    ///
    /// Steps are evaluated from the last to the first, each once for every position, so that `*a*a*a*b` costs no more than any other
    /// pattern of its length. There is no backtracking and no regular expression.
    func starts(in text: [Unicode.Scalar], before rest: [Bool]) -> [Bool] {
        var starts = rest
        switch self {
        case .one(let accepted):
            for index in text.indices { starts[index] = rest[index + 1] && accepted.contains(text[index]) }
            starts[text.count] = false
        case .optional(let accepted):
            for index in text.indices { starts[index] = rest[index] || rest[index + 1] && accepted.contains(text[index]) }
        case .many(let accepted, _):
            starts[text.count] = false
            for index in text.indices.reversed() {
                starts[index] = (rest[index + 1] || starts[index + 1]) && accepted.contains(text[index])
            }
        case .run:
            for index in text.indices.reversed() { starts[index] = rest[index] || starts[index + 1] }
        }
        return starts
    }

    /// Returns the position where this step ends if it begins at `start`, chosen among those where the rest of the pattern may begin.
    func end(from start: Int, in text: [Unicode.Scalar], before rest: [Bool]) -> Int {
        switch self {
        case .one: return start + 1
        case .optional(let accepted):
            return start < text.count && rest[start + 1] && accepted.contains(text[start]) ? start + 1 : start
        case .many(let accepted, let appetite):
            let reach = text[start...].firstIndex { !accepted.contains($0) } ?? text.count
            let ends = start + 1..<reach + 1
            return (appetite == .most ? ends.last { rest[$0] } : ends.first { rest[$0] }) ?? reach
        case .run: return (start..<text.count + 1).last { rest[$0] } ?? text.count
        }
    }

    var folded: PatternStep {
        switch self {
        case .one(let accepted): .one(accepted.folded)
        case .optional(let accepted): .optional(accepted.folded)
        case .many(let accepted, let appetite): .many(accepted.folded, appetite)
        case .run: .run
        }
    }
}

extension [PatternStep] {
    /// Returns the positions where the whole sequence may begin; nil if there are none.
    func starts(in text: [Unicode.Scalar], before rest: [Bool]) -> [Bool]? {
        var starts = rest
        for step in reversed() {
            starts = step.starts(in: text, before: starts)
            if !starts.contains(true) { return nil }
        }
        return starts
    }

    /// Returns the range that each step covers in the first match, with earlier steps choosing first; nil if nothing matches. An anchored
    /// sequence must cover the whole text.
    func spans(in text: [Unicode.Scalar], anchored: Bool) -> [Range<Int>]? {
        var rests = [[Bool](repeating: !anchored, count: text.count + 1)]
        rests[0][text.count] = true
        for step in reversed() {
            rests.append(step.starts(in: text, before: rests[rests.count - 1]))
            if !rests[rests.count - 1].contains(true) { return nil }
        }
        guard var position = rests.removeLast().firstIndex(of: true), !anchored || position == 0 else { return nil }
        return map { step in
            let end = step.end(from: position, in: text, before: rests.removeLast())
            defer { position = end }
            return position..<end
        }
    }
}
