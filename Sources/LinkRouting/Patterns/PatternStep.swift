/// One step of a pattern through a text.
public enum PatternStep: Sendable, Hashable {
    /// How much a step takes when there is a choice. It never changes whether a text matches, only what a parameter captures.
    public enum Appetite: Sendable, Hashable {
        case most, least
    }

    /// One character.
    case one(ScalarClass)
    /// One character or none; one if there is a choice.
    case optional(ScalarClass)
    /// One or more characters.
    case many(ScalarClass, Appetite)
    /// Any characters, or none.
    case run
}

extension PatternStep {
    /// Where in a text this step may begin, given where the rest of the pattern may: the heart of the matcher.
    ///
    /// Working from the end, each step looks at every position once, so that `*a*a*a*b` costs no more than any other pattern
    /// of its length. There is nothing to try again, and no regular expression.
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

    /// Where this step ends when it begins at a position, of all the places where the rest of the pattern may begin.
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
    /// Where the whole sequence may begin; nil if it may begin nowhere.
    func starts(in text: [Unicode.Scalar], before rest: [Bool]) -> [Bool]? {
        var starts = rest
        for step in reversed() {
            starts = step.starts(in: text, before: starts)
            if !starts.contains(true) { return nil }
        }
        return starts
    }

    /// What each step covers in the first place where the sequence matches, earlier steps choosing first; nil if it matches
    /// nowhere. Anchored, it must cover the text from end to end.
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
