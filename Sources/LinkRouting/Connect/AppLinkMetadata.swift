/// What Roots-iOS reads from a page's App Links tags. A later tag beats an earlier one; tags for other platforms, `al:iphone:…`
/// and `al:ipad:…` are not read.
public struct AppLinkMetadata: Sendable, Hashable {
    /// The URL that opens the app; nil if the page has none, or one without a scheme.
    public var nativeURL: String?
    public var appName: String?
    public var storeID: String?
    /// Where the browser goes instead; nil for the link itself.
    public var webURL: String?
    /// Whether the store is preferred to the web when the app does not open; nil if the page does not say.
    ///
    /// It is the page's `al:web:should_fallback`, and the other way round than App Links mean it: there, `false` keeps a client
    /// from showing the page.
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

    /// The URL as Roots-iOS puts it together again: scheme, host, port and decoded path. Query and fragment get lost there, so a
    /// page that wants to be opened by Roots carries its parameters in the path.
    private static func rebuilt(_ url: String) -> String? {
        let parts = WrittenURL(url)
        guard !parts.scheme.isEmpty else { return nil }
        let authority = parts.host.map { "//" + $0 + (parts.port.map { ":" + $0 } ?? "") } ?? ""
        return PercentCoding.encodeIllegal(parts.scheme + ":" + authority + PercentCoding.decode(parts.path))
    }

    /// Text as a switch the way iOS reads it: a number other than zero, or a word with Y or T in front.
    private static func isTrue(_ text: String) -> Bool {
        var rest = text.drop { $0.isWhitespace }
        if let sign = rest.first, sign == "+" || sign == "-" { rest = rest.dropFirst() }
        guard let first = rest.drop(while: { $0 == "0" }).first else { return false }
        return "YyTt123456789".contains(first)
    }
}
