/// A parser that turns a format's text into pattern steps.
struct RootsFormatReader {
    private(set) var steps: [PatternStep] = []
    /// The reported names by the index of their step.
    private(set) var captures: [Int: String] = [:]
    private let text: String
    private var rest: Substring.UnicodeScalarView
    private var last = Last.nothing
    /// The pattern with which Roots searches the format's own text for names.
    private var finder: [PatternStep] = []
    /// The index in ``finder`` of the brace that closes the parameters of the current component; nil if it has none.
    private var closing: Int?
    private var hasQuantifier = false

    /// The element before the current character, as far as it determines whether a quantifier may follow.
    private enum Last { case nothing, character(ScalarClass), wildcard }

    init(_ text: String) {
        self.text = text
        rest = Substring(text).unicodeScalars
    }

    mutating func read() throws(RouteSyntaxError) {
        while let scalar = rest.popFirst() {
            switch scalar {
            case "*": add(.many(.any, .most), as: .wildcard)
            case "{": try readParameter()
            case "}": throw unbalanced
            case ".": add(.one(.any), as: .character(.any))
            case "?", "+": try quantify(scalar)
            case "(", ")", "[", "]", "|", "^", "$", "\\": throw unsupported(scalar)
            default:
                if scalar == "/" { closing = nil }
                add(.one(.exactly(scalar)), as: .character(.exactly(scalar)))
            }
        }
        // A format without a quantifier always matches its own text.
        guard hasQuantifier else { return }
        let format = MatchedText(text)
        var starts = PositionSet(allOf: format.scalars.count)
        if !finder.moveBack(&starts, in: format) { captures = [:] }
    }

    private mutating func add(_ step: PatternStep, as last: Last) {
        steps.append(step)
        finder.append(step)
        self.last = last
    }

    private mutating func readParameter() throws(RouteSyntaxError) {
        guard let end = rest.firstIndex(of: "}") else { throw unbalanced }
        let name = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        guard !name.isEmpty, !name.unicodeScalars.contains(where: { $0 == "{" || $0 == "/" }) else {
            throw RouteSyntaxError(
                .badName, "'{\(name)}' in '\(text)' is no parameter; a name has at least one character, no brace and no slash")
        }
        if let closing {
            finder.removeSubrange(closing...)
        } else {
            captures[steps.count] = name
            finder += [.one(.exactly("{")), .run]
            closing = finder.count
        }
        finder.append(.one(.exactly("}")))
        steps.append(.many(.any, .most))
        last = .nothing
    }

    private mutating func quantify(_ quantifier: Unicode.Scalar) throws(RouteSyntaxError) {
        switch last {
        case .character(let accepted): replaceLast(quantifier == "?" ? .optional(accepted) : .many(accepted, .most))
        case .wildcard where quantifier == "?": replaceLast(.many(.any, .least))
        case .wildcard, .nothing: throw unsupported(quantifier)
        }
    }

    private mutating func replaceLast(_ step: PatternStep) {
        hasQuantifier = true
        steps[steps.count - 1] = step
        finder[finder.count - 1] = step
        last = .nothing
    }

    private var unbalanced: RouteSyntaxError {
        RouteSyntaxError(.unbalancedBraces, "the braces of '\(text)' do not pair; a parameter is written {name}")
    }

    private func unsupported(_ scalar: Unicode.Scalar) -> RouteSyntaxError {
        RouteSyntaxError(
            .unsupportedCharacter,
            "'\(scalar)' in '\(text)' would be read as part of a regular expression; write * for what the URL has there")
    }
}
