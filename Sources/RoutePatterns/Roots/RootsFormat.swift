/// The format of a filter in the syntax of Roots-iOS and Roots-Android: `myscheme://*/user/{User_ID}/{Name}`.
///
/// `*` matches one or more characters of any kind, slashes included; `{name}` matches likewise and captures. Values are the URL's text as
/// written; matching is greedy from left to right.
///
/// Roots turns a format into a regular expression without escaping it. The effects are reproduced, because they determine how a format
/// behaves on a phone: `.` is any character; `?` and `+` make the character before them optional or repeatable, so that no format matches
/// the `?` of a query literally; with such a quantifier in its middle a format captures nothing, because Roots finds the names by searching
/// the format's text with the format itself; `*?` is lazy; of several names between two slashes only the first is reported (Roots then
/// mixes up the names that follow; here they stay with their values).
///
/// Rejected when a format is written: `( ) [ ] | ^ $ \`, quantifiers after anything else, unbalanced braces, and names that are empty or
/// contain a brace or a slash.
public struct RootsFormat: Sendable, Hashable {
    public let text: String
    /// The names of the reported parameters, in order.
    public let names: [String]
    private let steps: [PatternStep]
    private let captures: [Int: String]

    public init(_ text: String) throws(RouteSyntaxError) {
        try RouteSyntaxError.checkLength(of: text, named: "the format")
        var reader = RootsFormatReader(text)
        try reader.read()
        self.text = text
        steps = reader.steps
        captures = reader.captures
        names = reader.captures.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the parameters of a URL that the format matches; nil if it does not match. Roots-iOS accepts a match anywhere in the URL,
    /// Roots-Android only of the whole (`anchored`).
    public func parameters(in url: String, anchored: Bool = false) -> [String: String]? {
        guard url.utf8.count <= PatternLimits.urlLength else { return nil }
        return parameters(in: MatchedText(url), anchored: anchored)
    }

    /// Returns the parameters of a URL whose length was checked before.
    func parameters(in text: MatchedText, anchored: Bool) -> [String: String]? {
        guard let spans = steps.spans(in: text, anchored: anchored) else { return nil }
        var parameters: [String: String] = [:]
        // In order, so that the last value of a repeated name wins.
        for (step, name) in captures.sorted(by: { $0.key < $1.key }) {
            var value = String.UnicodeScalarView()
            value.append(contentsOf: text.scalars[spans[step]])
            parameters[name] = String(value)
        }
        return parameters
    }

    /// A capital letter that every matching text must contain; nil if there is none. A format with one matches no lower-case text.
    var neededCapital: Unicode.Scalar? {
        for step in steps {
            switch step {
            case .one(.exactly(let scalar)), .many(.exactly(let scalar), _):
                if scalar.properties.changesWhenLowercased { return scalar }
            case .one, .many, .optional, .run: break
            }
        }
        return nil
    }

    public static func == (left: RootsFormat, right: RootsFormat) -> Bool { left.text == right.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
