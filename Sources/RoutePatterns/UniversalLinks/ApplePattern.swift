/// A parser of Apple's pattern language: `*`, `?` and `$(name)`. There is no escape.
enum ApplePattern {
    static func read(
        _ text: String, variables: AppleVariables, ignoringCase: Bool
    ) throws(RouteSyntaxError) -> WildcardPattern {
        guard text.utf8.count <= PatternLimits.patternLength else { throw .tooLong("the pattern") }
        var elements: [WildcardPattern.Element] = []
        var rest = text[...]
        while let opening = rest.firstRange(of: "$(") {
            elements += PatternStep.wildcards(String(rest[..<opening.lowerBound])).map { .step($0) }
            rest = rest[opening.upperBound...]
            guard let end = rest.firstIndex(of: ")") else {
                throw RouteSyntaxError(.unbalancedBraces, "'\(text)' has a '$(' without ')'; a variable is written $(name)")
            }
            let name = String(rest[..<end])
            guard let element = variables.element(name) else {
                throw RouteSyntaxError(
                    .unknownVariable,
                    "'$(\(name))' in '\(text)' is unknown; there are alpha, upper, lower, alnum, digit, xdigit, region, lang and the "
                        + "file's own substitutionVariables")
            }
            elements.append(element)
            rest = rest[rest.index(after: end)...]
        }
        elements += PatternStep.wildcards(String(rest)).map { .step($0) }
        return try WildcardPattern(elements, ignoringCase: ignoringCase)
    }
}
