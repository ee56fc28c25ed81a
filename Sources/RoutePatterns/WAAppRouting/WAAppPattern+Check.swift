extension WAAppPattern {
    /// Throws if a pattern would match nothing, or not what it seems to; for patterns that are being written.
    public static func check(_ text: String) throws(RouteSyntaxError) {
        try RouteSyntaxError.checkLength(of: text, named: "the pattern")
        var path = text.utf8[...]
        if let separator = text.firstRange(of: "://") {
            let scheme = String(text[..<separator.lowerBound])
            guard !scheme.isEmpty, scheme == WrittenURL(text).scheme else {
                throw RouteSyntaxError(
                    .unsupportedCharacter, "'\(text)' has no scheme before '://'; a scheme is letters, digits, +, - and .")
            }
            path = text[separator.upperBound...].utf8
            if scheme.isWebScheme { path = try check(afterHostOf: path, in: text) }
        }
        for piece in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map({ String(Substring($0)) }) {
            try check(component: piece, in: text)
        }
    }

    private static func check(
        afterHostOf rest: Substring.UTF8View, in text: String
    ) throws(RouteSyntaxError) -> Substring.UTF8View {
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")), slash > rest.startIndex else {
            throw RouteSyntaxError(.emptyComponent, "'\(text)' needs a host and a path, as in http://www.domain.com/list/:id")
        }
        return rest[rest.index(after: slash)...]
    }

    static func check(component: String, in text: String) throws(RouteSyntaxError) {
        guard !component.isEmpty else {
            throw RouteSyntaxError(
                .emptyComponent,
                "'\(text)' has an empty component; components are parted by single slashes, with none at the ends")
        }
        guard !component.unicodeScalars.contains(where: { $0 == "{" || $0 == "}" }) else {
            throw RouteSyntaxError(
                .unbalancedBraces,
                "'\(component)' in '\(text)' has a brace; a class is written {ClassName} after its component, with ! for a modal")
        }
        guard !component.unicodeScalars.contains(where: { $0 == "?" || $0 == "#" }) else {
            throw RouteSyntaxError(
                .unsupportedCharacter, "'\(component)' in '\(text)' has a ? or #; query and fragment take no part in matching")
        }
        guard component != ":" else {
            throw RouteSyntaxError(.badName, "':' in '\(text)' names no parameter; write :name")
        }
    }
}
