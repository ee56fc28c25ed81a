/// A filter's format in the language of Roots-iOS and Roots-Android: `myscheme://*/user/{User_ID}/{Name}`.
///
/// `*` is one or more characters of any kind, slashes included; `{name}` is the same, captured. Values are the URL's text as
/// written, and an earlier one takes as much as it can.
///
/// Roots makes a regular expression of a format without escaping the rest. What of that is kept, because a format on a phone
/// behaves so and ours must tell the truth about it: `.` is any character; `?` and `+` make the character before them optional
/// and repeatable, so that no format spells the `?` of a query; with such a quantifier in its middle a format captures nothing,
/// because Roots finds the names by searching the format with itself; `*?` takes as little as it can; of several names between
/// two slashes only the first is reported (Roots then mixes up the names that follow; ours stay with their values).
///
/// What is refused when a format is written: `( ) [ ] | ^ $ \`, quantifiers after anything else, braces that do not pair, and
/// names that are empty or hold a brace or a slash.
public struct RootsFormat: Sendable, Hashable {
    public let text: String
    /// The names of the parameters that are reported, in order.
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

    /// The parameters of a URL that the format matches; nil if it does not match. Roots-iOS is content with a match anywhere
    /// inside the URL, Roots-Android asks for the whole (`anchored`).
    public func parameters(in url: String, anchored: Bool = false) -> [String: String]? {
        guard url.utf8.count <= PatternLimits.urlLength else { return nil }
        return parameters(in: Array(url.unicodeScalars), anchored: anchored)
    }

    /// The same for a URL of which it is known that it is not too long.
    func parameters(in scalars: [Unicode.Scalar], anchored: Bool) -> [String: String]? {
        guard let spans = steps.spans(in: scalars, anchored: anchored) else { return nil }
        var parameters: [String: String] = [:]
        // In order, so that a name used twice keeps its last value.
        for (step, name) in captures.sorted(by: { $0.key < $1.key }) {
            var value = String.UnicodeScalarView()
            value.append(contentsOf: scalars[spans[step]])
            parameters[name] = String(value)
        }
        return parameters
    }

    /// A capital letter without which no text matches; nil if there is none. Such a format is not found in lower-case text.
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
