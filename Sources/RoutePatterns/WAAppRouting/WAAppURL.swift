import LinkRouting

/// A URL in the form that WAAppRouting compares: decoded components, and a query that is not decoded.
///
/// For http and https the components are those of the path, and the host plays no part; for an app's own scheme the host is the first
/// component. Escapes are decoded before the path is split, so `%2F` separates components, as in WAAppRouting.
public struct WAAppURL: Sendable, Hashable {
    public var scheme: String
    /// The host without user and port.
    public var host: String?
    public var components: [String]
    /// The last value of each key. Keys and values are as written; a key without `=` has an empty value.
    public var query: [String: String]

    /// Nil for a URL that no pattern can match: without a scheme, too long, or with an app's scheme and no host.
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

    /// Returns the components of a web path without its leading slash. A path that still begins with one, `//a` or the bare root, keeps a
    /// component `/`, which hardly any pattern matches.
    static func webComponents(path: String) -> [String] {
        let rest = path.beginsWithSlash && path.utf8.count > 1 ? String(path.utf8.dropFirst())! : path
        return (rest.beginsWithSlash ? ["/"] : []) + rest.slashComponents
    }
}
