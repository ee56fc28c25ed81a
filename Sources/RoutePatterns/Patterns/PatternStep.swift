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
    /// Replaces the positions where the rest of a pattern may begin by those where this step may.
    ///
    /// Steps are evaluated from the last to the first, each once for every position, so that `*a*a*a*b` costs no more than any other
    /// pattern of its length. There is no backtracking and no regular expression.
    func moveBack(_ starts: inout PositionSet, in text: MatchedText) {
        switch self {
        case .one(let accepted):
            if let positions = text.positions(of: accepted) { starts.step(over: positions) } else { starts.removeAll() }
        case .optional(let accepted):
            if let positions = text.positions(of: accepted) { starts.addStep(over: positions) }
        case .many(let accepted, _):
            if let positions = text.positions(of: accepted) { starts.run(over: positions) } else { starts.removeAll() }
        case .run: starts.runOverAll()
        }
    }

    /// Returns the position where this step ends if it begins at `start`, chosen among those where the rest of the pattern may begin.
    func end(from start: Int, in text: [Unicode.Scalar], before rest: PositionSet) -> Int {
        switch self {
        case .one: return start + 1
        case .optional(let accepted):
            return start < text.count && rest.contains(start + 1) && accepted.contains(text[start]) ? start + 1 : start
        case .many(let accepted, let appetite):
            let reach = text[start...].firstIndex { !accepted.contains($0) } ?? text.count
            let ends = start + 1..<reach + 1
            return (appetite == .most ? ends.last(where: rest.contains) : ends.first(where: rest.contains)) ?? reach
        case .run: return (start..<text.count + 1).last(where: rest.contains) ?? text.count
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
    /// Replaces the positions where the rest of a pattern may begin by those where the whole sequence may. Returns whether there are any.
    func moveBack(_ starts: inout PositionSet, in text: MatchedText) -> Bool {
        for step in reversed() {
            step.moveBack(&starts, in: text)
            if starts.isEmpty { return false }
        }
        return true
    }

    /// Returns the range that each step covers in the first match, with earlier steps choosing first; nil if nothing matches. An anchored
    /// sequence must cover the whole text.
    func spans(in text: MatchedText, anchored: Bool) -> [Range<Int>]? {
        let count = text.scalars.count
        var rest = anchored ? PositionSet(noneOf: count) : PositionSet(allOf: count)
        rest.insert(count)
        // Most patterns match nothing, which needs no more than one set.
        var starts = rest
        guard moveBack(&starts, in: text), var position = starts.first, !anchored || position == 0 else { return nil }
        var rests: [PositionSet] = []
        for step in reversed() {
            rests.append(rest)
            step.moveBack(&rest, in: text)
        }
        return map { step in
            let end = step.end(from: position, in: text.scalars, before: rests.removeLast())
            defer { position = end }
            return position..<end
        }
    }
}
