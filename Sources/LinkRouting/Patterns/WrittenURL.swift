/// A URL taken apart with every part left as it is written. `URLParts` reads a URL as a browser does; the route languages compare
/// letter by letter, scheme and host included.
public struct WrittenURL: Sendable, Hashable {
    /// Empty if there is none.
    public var scheme: String
    /// Without user and port; nil if there is no `//`.
    public var host: String?
    /// Digits after the host; nil if there are none.
    public var port: String?
    public var path: String
    /// Without the question mark; nil if there is none.
    public var query: String?
    /// Without the hash; nil if there is none.
    public var fragment: String?

    public init(_ url: String) {
        // By bytes: a combining mark after a separator would hide it from `Character`.
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

    /// The pairs of the query, in order and not decoded, cut at their first `=`; empty pairs are left out.
    public var queryItems: [QueryItem] {
        (query ?? "").utf8.split(separator: UInt8(ascii: "&")).map { pair in
            var name = Substring(pair).utf8
            let value = name.cut(at: "=")
            return QueryItem(name: String(Substring(name)), value: value.map { String(Substring($0)) } ?? "")
        }
    }

    /// The path as a server sees it: the root where there is none.
    var requestPath: String { path.isEmpty ? "/" : path }
}

extension Substring.UTF8View {
    /// Cuts the text at the first separator and returns what follows it; nil where there is no separator.
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
    /// Whether two texts are the same byte for byte; `==` also takes `é` for `e` and an accent.
    func isWrittenLike(_ other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// The pieces between slashes, by bytes; empty ones are left out.
    var slashComponents: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    var beginsWithSlash: Bool { utf8.first == UInt8(ascii: "/") }

    var isWebScheme: Bool { self == "http" || self == "https" }
}
