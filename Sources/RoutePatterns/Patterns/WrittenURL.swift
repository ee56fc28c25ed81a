import LinkRouting

/// A URL split into parts that are left as written. `URLParts` normalizes a URL like a browser; the route languages compare it letter by
/// letter, including scheme and host.
public struct WrittenURL: Sendable, Hashable {
    /// The scheme without its colon; empty if there is none.
    public var scheme: String
    /// The host without user and port; nil if there is no `//`.
    public var host: String?
    /// The port after the host; nil if there is none.
    public var port: String?
    public var path: String
    /// The query without the question mark; nil if there is none.
    public var query: String?
    /// The fragment without the hash; nil if there is none.
    public var fragment: String?

    public init(_ url: String) {
        let scan = URLScan(url)
        scheme = String(scan.scheme)
        if var authority = scan.authority?.utf8 {
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
            let afterBracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
            if let colon = authority[afterBracket...].firstIndex(of: UInt8(ascii: ":")) {
                let digits = String(Substring(authority[authority.index(after: colon)...]))
                port = digits.isEmpty ? nil : digits
                authority = authority[..<colon]
            }
            host = String(Substring(authority))
        }
        path = String(scan.path)
        query = scan.query.map { String($0) }
        fragment = scan.fragment.map { String($0) }
    }

    /// The pairs of the query, in order and not decoded, split at their first `=`; empty pairs are left out.
    public var queryItems: [QueryItem] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { pair in
            var name = pair
            let value = name.splitOff(after: UInt8(ascii: "="))
            return QueryItem(name: String(Substring(name)), value: value.map { String($0) } ?? "")
        }
    }

    /// The path of the HTTP request: `/` if the URL has none.
    var requestPath: String { path.isEmpty ? "/" : path }
}

extension String {
    /// Whether two texts are equal byte for byte; `==` also equates canonical equivalents, such as `é` and `e` with an accent.
    func isWrittenLike(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// The components between slashes, split by bytes; empty ones are left out.
    var slashComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    var beginsWithSlash: Bool { utf8.first == UInt8(ascii: "/") }

    var isWebScheme: Bool { self == "http" || self == "https" }
}
