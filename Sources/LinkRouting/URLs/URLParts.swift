/// One `name=value` of a query, decoded.
public struct QueryItem: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A URL taken apart as leniently as a browser would: SDKs hand over whatever opened the app, well formed or not.
public struct URLParts: Sendable, Hashable {
    /// Lower case, without the colon; empty if there is none.
    public var scheme: String
    /// Lower case, without user, port and the root's trailing dot; empty if there is none.
    public var host: String
    /// Decimal digits after the host; nil if there is none or it is not a number.
    public var port: Int?
    /// As written, percent escapes and all; empty or beginning with a slash.
    public var path: String
    /// As written, without the question mark; nil if there is none.
    public var query: String?
    /// As written, without the hash; nil if there is none.
    public var fragment: String?

    public init(_ url: String) {
        var rest = Substring(url)
        fragment = rest.splitOff(after: "#").map(String.init)
        query = rest.splitOff(after: "?").map(String.init)
        scheme = ""
        host = ""
        if let colon = rest.firstIndex(of: ":"), rest[..<colon].allSatisfy(\.isSchemeCharacter), colon > rest.startIndex {
            scheme = rest[..<colon].lowercased()
            rest = rest[rest.index(after: colon)...]
        }
        if rest.hasPrefix("//") {
            rest = rest.dropFirst(2)
            let authority = rest.prefix { $0 != "/" }
            rest = rest[authority.endIndex...]
            (host, port) = URLParts.hostAndPort(authority)
        }
        path = String(rest)
    }

    /// The query as decoded pairs, in order. A pair without `=` has an empty value; empty pairs (`&&`) are left out.
    public var queryItems: [QueryItem] { URLParts.queryItems(query ?? "") }

    public static func queryItems(_ query: String) -> [QueryItem] {
        query.split(separator: "&").map { pair in
            var name = pair
            let value = name.splitOff(after: "=") ?? ""
            return QueryItem(
                name: PercentCoding.decode(name, plusIsSpace: true),
                value: PercentCoding.decode(value, plusIsSpace: true)
            )
        }
    }

    /// A `Host` header or URL authority as a bare lower-case host name and a port.
    public static func hostAndPort(_ authority: some StringProtocol) -> (host: String, port: Int?) {
        var host = String(authority)
        if let at = host.lastIndex(of: "@") { host = String(host[host.index(after: at)...]) }
        var port: Int?
        if let colon = host.lastIndex(of: ":"), !host[colon...].contains("]") {
            port = Int(host[host.index(after: colon)...])
            host = String(host[..<colon])
        }
        if host.hasSuffix(".") { host.removeLast() }
        return (host.lowercased(), port)
    }

    /// Adds a pair to a URL's query, before any fragment.
    public static func appending(_ item: QueryItem, to url: String) -> String {
        var base = Substring(url)
        let fragment = base.splitOff(after: "#")
        let separator = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
        let pair = PercentCoding.encodeQueryValue(item.name) + "=" + PercentCoding.encodeQueryValue(item.value)
        return base + separator + pair + (fragment.map { "#" + $0 } ?? "")
    }
}

extension Substring {
    /// Cuts the text at the first separator and returns what follows it; nil where there is no separator.
    fileprivate mutating func splitOff(after separator: Character) -> Substring? {
        guard let index = firstIndex(of: separator) else { return nil }
        let tail = self[self.index(after: index)...]
        self = self[..<index]
        return tail
    }
}

extension Character {
    fileprivate var isSchemeCharacter: Bool {
        isASCII && (isLetter || isNumber || self == "+" || self == "-" || self == ".")
    }
}
