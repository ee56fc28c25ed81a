/// An app started by Roots-Android, which routes only then.
///
/// Formats must match from end to end. For `al:android:url` they are compared with the URI in lower case, though the format is
/// not, so a capital letter in a format matches nothing; for `al:web:url` with the web URL that came along, as written. Values
/// end at the first question mark.
public struct RootsAndroidLaunch: Sendable, Hashable {
    public var uri: String
    public var fallbackURL: String?

    public init(uri: String, fallbackURL: String?) {
        self.uri = uri
        self.fallbackURL = fallbackURL
    }

    /// Reads the URI that started the app; nil if it was not Roots that did.
    public init?(launchURI uri: String) {
        let items = WrittenURL(uri).queryItems
        guard items.contains(where: { $0.name == "appconn_launch_key" && $0.value == "True" }) else { return nil }
        self.uri = uri
        fallbackURL = items.first { $0.name == "appconn_fallback_url" }.map { PercentCoding.decode($0.value) }
    }

    func parameters(forAndroid format: RootsFormat) -> [String: String]? {
        RootsAndroidLaunch.parameters(of: format, in: uri.lowercased())
    }

    func parameters(forWeb format: RootsFormat) -> [String: String]? {
        fallbackURL.flatMap { RootsAndroidLaunch.parameters(of: format, in: $0) }
    }

    private static func parameters(of format: RootsFormat, in url: String) -> [String: String]? {
        guard let parameters = format.parameters(in: url, anchored: true) else { return nil }
        guard let end = url.firstIndex(of: "?") else { return parameters }
        return format.parameters(in: String(url[..<end]), anchored: true) ?? [:]
    }
}
