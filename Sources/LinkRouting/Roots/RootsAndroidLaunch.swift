/// An app started by Roots-Android, which routes only then.
///
/// Formats must match from end to end. For `al:android:url` they are compared with the URI in lower case, though the format is
/// not, so a capital letter in a format matches nothing; for `al:web:url` with the web URL that came along, as written. Values
/// end at the first question mark.
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

    /// Reads the URI that started the app; nil if it was not Roots that did.
    public init?(launchURI uri: String) {
        let items = WrittenURL(uri).queryItems
        guard items.contains(where: { $0.name == "appconn_launch_key" && $0.value == "True" }) else { return nil }
        let fallbackURL = items.first { $0.name == "appconn_fallback_url" }.map { PercentCoding.decode($0.value) }
        self.init(uri: uri, fallbackURL: fallbackURL)
    }

    func parameters(forAndroid format: RootsFormat) -> [String: String]? { lowerCase?.parameters(of: format) }

    func parameters(forWeb format: RootsFormat) -> [String: String]? { fallback?.parameters(of: format) }
}

/// A text that formats are compared with, taken apart once for all of them.
private struct Compared: Sendable, Hashable {
    private let whole: [Unicode.Scalar]
    /// What is before the first question mark; nil if there is none.
    private let beforeQuery: [Unicode.Scalar]?

    /// Nil for a text that is too long to match.
    init?(_ text: String) {
        guard text.utf8.count <= PatternLimits.urlLength else { return nil }
        let scalars = Array(text.unicodeScalars)
        whole = scalars
        beforeQuery = scalars.firstIndex(of: "?").map { Array(scalars[..<$0]) }
    }

    func parameters(of format: RootsFormat) -> [String: String]? {
        guard let parameters = format.parameters(in: whole, anchored: true) else { return nil }
        guard let beforeQuery else { return parameters }
        return format.parameters(in: beforeQuery, anchored: true) ?? [:]
    }
}
