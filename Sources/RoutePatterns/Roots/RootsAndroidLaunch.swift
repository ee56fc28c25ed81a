import LinkRouting

/// A launch of an app by Roots-Android, which routes only at launch.
///
/// Formats must match the whole text. For `al:android:url` they are compared with the URI in lower case although the format is not folded,
/// so a format with a capital letter matches nothing; for `al:web:url` with the web URL passed at launch, as written. Captured values end
/// at the first question mark; nothing is captured if the format does not match the text before it.
public struct RootsAndroidLaunch: Sendable, Hashable {
    public let uri: String
    public let fallbackURL: String?
    private let lowerCase: Compared?
    private let fallback: Compared?

    public init(uri: String, fallbackURL: String?) {
        self.uri = uri
        self.fallbackURL = fallbackURL
        lowerCase = Compared(uri.lowercased())
        fallback = fallbackURL.flatMap(Compared.init)
    }

    /// Parses the URI that started the app; nil if it does not come from Roots.
    public init?(launchURI uri: String) {
        let items = WrittenURL(uri).queryItems
        guard items.contains(where: { $0.name == "appconn_launch_key" && $0.value == "True" }) else { return nil }
        let fallbackURL = items.first { $0.name == "appconn_fallback_url" }.map { PercentCoding.decode($0.value) }
        self.init(uri: uri, fallbackURL: fallbackURL)
    }

    func parameters(forAndroid format: RootsFormat) -> [String: String]? { lowerCase?.parameters(of: format) }

    func parameters(forWeb format: RootsFormat) -> [String: String]? { fallback?.parameters(of: format) }
}

/// A text to compare with formats, split once for all of them.
private struct Compared: Sendable, Hashable {
    private let whole: MatchedText
    /// The text before the first question mark; nil if there is none.
    private let beforeQuery: MatchedText?

    /// Nil for a text longer than ``PatternLimits/urlLength``, which matches nothing.
    init?(_ text: String) {
        guard text.utf8.count <= PatternLimits.urlLength else { return nil }
        whole = MatchedText(text)
        beforeQuery = whole.scalars.firstIndex(of: "?").map { [whole] in MatchedText(whole.scalars[..<$0]) }
    }

    func parameters(of format: RootsFormat) -> [String: String]? {
        guard let parameters = format.parameters(in: whole, anchored: true) else { return nil }
        guard let beforeQuery else { return parameters }
        return format.parameters(in: beforeQuery, anchored: true) ?? [:]
    }
}
