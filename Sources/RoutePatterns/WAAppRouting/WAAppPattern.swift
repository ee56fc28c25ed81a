/// A path pattern of WAAppRouting: `list/:itemID/extra`. Components are compared one by one, exactly and in order.
///
/// `:name` matches any component and captures it. `*` as a whole component matches any component, and at the end of the pattern one or
/// more. A pattern may have a scheme, and for the web a host (`http://www.domain.com/list/:itemID`); the URL's must then be equal. A
/// pattern with a slash at either end matches nothing, as in WAAppRouting's own tests. A pattern with a wildcard elsewhere than at its end
/// matches only URLs of its length; WAAppRouting crashes on longer ones.
public struct WAAppPattern: Sendable, Hashable {
    private enum Component: Sendable, Hashable {
        case literal(String)
        case parameter(String)
        case wildcard
    }

    public let text: String
    private let scheme: String?
    private let host: String?
    private let components: [Component]

    /// Parses any text; a pattern that `check` rejects matches nothing, or not what it seems to.
    public init(_ text: String) {
        self.text = text
        let url = text.firstRange(of: "://").map { _ in WrittenURL(text) }
        scheme = url?.scheme
        var pieces: [String]
        if let url, url.scheme.isWebScheme {
            host = url.host?.lowercased()
            pieces = WAAppURL.webComponents(path: url.path)
        } else {
            host = nil
            pieces = WAAppPattern.pieces(url.map { ($0.host ?? "") + $0.path } ?? text)
        }
        if !pieces.isEmpty, pieces != ["/"], text.utf8.last == UInt8(ascii: "/") { pieces.append("/") }
        components = pieces.map { piece in
            switch piece.utf8.first {
            case UInt8(ascii: ":"): .parameter(String(piece.unicodeScalars.dropFirst()))
            case _ where piece.isWrittenLike("*"): .wildcard
            default: .literal(piece)
            }
        }
    }

    /// The names of the parameters, in order.
    var names: [String] {
        components.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    private static func pieces(_ text: String) -> [String] {
        (text.beginsWithSlash ? ["/"] : []) + text.slashComponents
    }

    /// Returns the parameters of a URL that the pattern matches; nil if it does not match. The last value of a repeated name wins.
    public func parameters(in url: WAAppURL) -> [String: String]? {
        guard text.utf8.count <= PatternLimits.patternLength else { return nil }
        if let scheme, !scheme.isWrittenLike(url.scheme) { return nil }
        if let host, host != url.host?.lowercased() { return nil }
        let isLongEnough =
            components.last == .wildcard ? url.components.count >= components.count : url.components.count == components.count
        guard isLongEnough else { return nil }
        var parameters: [String: String] = [:]
        for (component, piece) in zip(components, url.components) {
            switch component {
            case .literal(let text): if !text.isWrittenLike(piece) { return nil }
            case .parameter(let name): parameters[name] = piece
            case .wildcard: break
            }
        }
        return parameters
    }
}
