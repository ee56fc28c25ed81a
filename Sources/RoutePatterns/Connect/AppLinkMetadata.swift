import LinkRouting

/// The App Links tags of a page that Roots-iOS reads. A later tag overrides an earlier one; tags for other platforms, `al:iphone:…` and
/// `al:ipad:…` are ignored.
public struct AppLinkMetadata: Sendable, Hashable {
    /// The URL that opens the app; nil if the page has none, or one without a scheme.
    public var nativeURL: String?
    public var appName: String?
    public var storeID: String?
    /// The URL for the browser; nil for the link itself.
    public var webURL: String?
    /// Whether the store is preferred to the web if the app does not open; nil if the page does not say.
    ///
    /// Read from `al:web:should_fallback`, with a meaning other than that of App Links: there, `false` means that a client does not show
    /// the page.
    public var prefersStore: Bool?

    public init(_ tags: [AppLinkTag]) {
        for tag in tags {
            switch tag.property {
            case "al:ios:url": nativeURL = AppLinkMetadata.rebuilt(tag.content)
            case "al:ios:app_name": appName = tag.content
            case "al:ios:app_store_id": storeID = tag.content
            case "al:web:url": webURL = tag.content
            case "al:web:should_fallback": prefersStore = AppLinkMetadata.isTrue(tag.content)
            default: break
            }
        }
    }

    /// Returns the URL as Roots-iOS rebuilds it: scheme, host, port and decoded path. Query and fragment are dropped, so a page for Roots
    /// must carry its parameters in the path.
    private static func rebuilt(_ url: String) -> String? {
        let parts = WrittenURL(url)
        guard !parts.scheme.isEmpty else { return nil }
        let authority = parts.host.map { "//" + $0 + (parts.port.map { ":" + $0 } ?? "") } ?? ""
        return PercentCoding.encodeIllegal(parts.scheme + ":" + authority + PercentCoding.decode(parts.path))
    }

    /// Parses a boolean as iOS does: true for a number other than zero, or a word that begins with Y or T.
    private static func isTrue(_ text: String) -> Bool {
        var rest = text.drop { $0.isWhitespace }
        if let sign = rest.first, sign == "+" || sign == "-" { rest = rest.dropFirst() }
        guard let first = rest.drop(while: { $0 == "0" }).first else { return false }
        return "YyTt123456789".contains(first)
    }
}
