import LindenKernel
import LinkRouting

/// A request for a link, as received.
package struct Visit: Sendable {
    package var host: String
    /// As requested, percent-encoded.
    package var path: String
    package var query: String?
    package var userAgent: String
    package var clientHints: ClientHints
    package var referrer: String?
    package var address: ClientAddress
    /// The browser's id from its cookie.
    package var browser: Browser.ID?
    /// Whether the browser is prefetching (`Sec-Purpose`, `Purpose`, `X-Moz`).
    package var isPrefetch: Bool
    /// The user's primary language without its region, such as `de`.
    package var language: String?
    /// Whether this is a HEAD request: answered like a GET, but not recorded as a visit.
    package var isHead: Bool
    /// Whether the client is a program that only wants the link's meta tags.
    package var wantsTags: Bool
    /// The click or text message that the URL names, once that is resolved.
    var via: Click.ID?
    /// Whether that click is still within its match window, so that this visit continues it and takes no other of the link's clicks.
    var continuesClick = false

    package init(
        host: String, path: String, query: String? = nil, userAgent: String, clientHints: ClientHints = ClientHints(),
        referrer: String? = nil, address: ClientAddress, language: String? = nil, browser: Browser.ID? = nil,
        isPrefetch: Bool = false,
        isHead: Bool = false, wantsTags: Bool = false
    ) {
        self.wantsTags = wantsTags
        self.clientHints = clientHints
        self.language = language
        self.browser = browser
        self.host = host
        self.path = path
        self.query = query.map { Visit.shortened(query: $0) }
        self.userAgent = Visit.shortened(userAgent: userAgent)
        self.referrer = referrer.map { Visit.shortened($0, Visit.longestReferrer) }
        self.address = address
        self.isPrefetch = isPrefetch
        self.isHead = isHead
    }

    var isWebOnly: Bool { LinkPath(path, hasQuery: false).isWebOnly }

    /// Maximum length in bytes. User agents of browsers have some 200; nothing is parsed beyond the stored part.
    private static let longestUserAgent = 512
    /// Maximum length in bytes. The longest links of SDKs have a few thousand; the log stores every query.
    private static let longestQuery = 16 * 1024
    /// The most items of a query. Links have a few dozen; decoding thousands would delay other visitors.
    private static let mostItems = 256
    /// Maximum length in bytes. Browsers since 2020 send only the origin to another site.
    private static let longestReferrer = 2048

    /// Prepends the query that was appended to the link at an earlier click.
    mutating func append(_ earlier: String?) {
        query = [earlier, query].compactMap { $0 }.joined(separator: "&")
        query = query.map { Visit.shortened(query: $0) }
    }

    /// The advertising id in the URL, as links of advertising networks have it; nil if there is none or it consists of zeros, as for users
    /// who opted out.
    var device: String? {
        guard let query, query.hasBytes(of: "idfa") || query.hasBytes(of: "aaid") else { return nil }
        let id = URLParts.queryItems(query).first { ["$idfa", "$aaid"].contains($0.name.ifASCII) }?.value ?? ""
        return (8...64).contains(id.utf8.count) && id.contains { $0 != "0" && $0 != "-" } ? id.lowercased() : nil
    }

    /// The host of the referrer; nil if it is longer than any host name.
    var referrerHost: String? {
        guard let host = referrer.map({ URLParts.host(of: $0) }), !host.isEmpty else { return nil }
        return host
    }

    package static func shortened(userAgent: String) -> String { shortened(userAgent, longestUserAgent) }

    /// Returns the part of a query that is parsed and stored.
    package static func shortened(query: String) -> String {
        let query = shortened(query, longestQuery)
        guard query.utf8.count > mostItems else { return query }
        let ends = query.utf8.indices.lazy.filter { query.utf8[$0] == UInt8(ascii: "&") }
        return ends.dropFirst(mostItems - 1).first.map { String(query[..<$0]) } ?? query
    }

    private static func shortened(_ text: String, _ limit: Int) -> String {
        text.prefix(bytes: limit)
    }
}
