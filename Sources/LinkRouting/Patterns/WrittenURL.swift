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
        // Splits by bytes, because `Character` would merge a separator with a combining mark that follows it.
        var rest = Substring(url).utf8
        fragment = rest.cut(at: "#").map { String(Substring($0)) }
        query = rest.cut(at: "?").map { String(Substring($0)) }
        scheme = ""
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), colon > rest.startIndex,
            rest[..<colon].allSatisfy(\.isSchemeByte)
        {
            scheme = String(Substring(rest[..<colon]))
            rest = rest[rest.index(after: colon)...]
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            var authority = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest[authority.endIndex...]
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
            let afterBracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
            if let colon = authority[afterBracket...].firstIndex(of: UInt8(ascii: ":")) {
                let digits = String(Substring(authority[authority.index(after: colon)...]))
                port = digits.isEmpty ? nil : digits
                authority = authority[..<colon]
            }
            host = String(Substring(authority))
        }
        path = String(Substring(rest))
    }

    /// The pairs of the query, in order and not decoded, split at their first `=`; empty pairs are left out.
    public var queryItems: [QueryItem] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { pair in
            var name = Substring(pair).utf8
            let value = name.cut(at: "=")
            return QueryItem(name: String(Substring(name)), value: value.map { String(Substring($0)) } ?? "")
        }
    }

    /// The path of the HTTP request: `/` if the URL has none.
    var requestPath: String { path.isEmpty ? "/" : path }
}

extension Substring.UTF8View {
    /// Removes the first separator and the text after it; returns that text, or nil if there is no separator.
    fileprivate mutating func cut(at separator: Unicode.Scalar) -> Substring.UTF8View? {
        guard let index = firstIndex(of: UInt8(ascii: separator)) else { return nil }
        let tail = self[self.index(after: index)...]
        self = self[..<index]
        return tail
    }
}

extension UInt8 {
    fileprivate var isSchemeByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
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
