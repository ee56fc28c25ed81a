import LinkRouting

/// A request for a link, as a face received it.
package struct Visit: Sendable {
    package var host: String
    /// As requested, percent escapes and all.
    package var path: String
    package var query: String?
    package var userAgent: String
    package var clientHints: ClientHints
    package var referrer: String?
    package var address: ClientAddress
    /// The number in the browser's cookie.
    package var browser: Browser.ID?
    /// The browser is loading ahead of its user (`Sec-Purpose`, `Purpose`, `X-Moz`).
    package var isPrefetch: Bool
    /// Of the browser's user, without its region: `de`.
    package var language: String?
    /// A HEAD request: answered like a GET, but nobody has come.
    package var isHead: Bool
    /// A program that wants the link's tags and goes on by itself.
    package var wantsTags: Bool
    /// The click that the address names, once that is known.
    var via: Click.ID?
    /// Whether that click was a moment ago, so that this visit goes on with it and takes no other of the link's clicks.
    var goesOn = false

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

    /// In bytes. A browser says who it is in some 200; nothing is read beyond what is stored anyway.
    private static let longestUserAgent = 512
    /// In bytes. The longest link that SDKs make is a few thousand; the log keeps every one.
    private static let longestQuery = 16 * 1024
    /// In bytes. Browsers since 2020 name no more than the origin to another site.
    private static let longestReferrer = 2048

    /// Puts what was appended to the link at an earlier click before what is appended now.
    mutating func append(_ earlier: String?) {
        query = [earlier, query].compactMap { $0 }.joined(separator: "&")
        query = query.map { Visit.shortened(query: $0) }
    }

    /// The advertising id in the address, as links of advertising networks have it; nil for none, and for the one of all who have none.
    var device: String? {
        guard let query, query.hasBytes(of: "idfa") || query.hasBytes(of: "aaid") else { return nil }
        let id = URLParts.queryItems(query).first { $0.name == "$idfa" || $0.name == "$aaid" }?.value ?? ""
        return (8...64).contains(id.utf8.count) && id.contains { $0 != "0" && $0 != "-" } ? id.lowercased() : nil
    }

    /// The site that the referrer is on; nil for what is longer than any host name.
    var referrerHost: String? {
        guard let host = referrer.map({ URLParts($0).host }), (1...253).contains(host.utf8.count) else { return nil }
        return host
    }

    package static func shortened(userAgent: String) -> String { shortened(userAgent, longestUserAgent) }

    /// What is read and kept of a query.
    static func shortened(query: String) -> String { shortened(query, longestQuery) }

    private static func shortened(_ text: String, _ limit: Int) -> String {
        text.utf8.count <= limit ? text : String(decoding: text.utf8.prefix(limit), as: UTF8.self)
    }
}
