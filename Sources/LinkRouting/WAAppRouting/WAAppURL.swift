/// A URL as WAAppRouting compares it: components, already decoded, and a query that is not.
///
/// On the web the components are the path's alone and the host plays no part; for an app's own scheme the host is the first of
/// them. Escapes are decoded before the path is cut, so `%2F` parts components (so does WAAppRouting).
public struct WAAppURL: Sendable, Hashable {
    public var scheme: String
    /// Without user and port.
    public var host: String?
    public var components: [String]
    /// The last value for each key. Keys and values are as written; a key without `=` has an empty value.
    public var query: [String: String]

    /// Nil for a URL that no pattern can match: without scheme, too long, or with an app's scheme and no host.
    public init?(_ url: String) {
        let parts = WrittenURL(url)
        guard url.utf8.count <= PatternLimits.urlLength, !parts.scheme.isEmpty else { return nil }
        scheme = parts.scheme
        host = parts.host
        let path = PercentCoding.decode(parts.path)
        if parts.scheme.isWebScheme {
            components = WAAppURL.webComponents(path: path)
        } else {
            guard let host, !host.isEmpty else { return nil }
            components = (PercentCoding.decode(host) + "/" + path).slashComponents
        }
        query = Dictionary(parts.queryItems.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    /// The components of a web path. The slash in front goes; what still begins with one, `//a` and the bare root, keeps a
    /// component `/`, which hardly any pattern accepts.
    static func webComponents(path: String) -> [String] {
        let rest = path.beginsWithSlash && path.utf8.count > 1 ? String(path.utf8.dropFirst())! : path
        return (rest.beginsWithSlash ? ["/"] : []) + rest.slashComponents
    }
}
