/// A `name=value` pair of a query, decoded.
public struct QueryItem: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// A URL split into parts, as leniently as browsers do, because SDKs report whatever URL opened the app, well formed or not.
public struct URLParts: Sendable, Hashable {
    /// The scheme in lower case, without the colon; empty if there is none.
    public var scheme: String
    /// The host in lower case, without user, port and trailing dot; empty if there is none, or if it is no host name: longer than
    /// ``maximumHostBytes``, or with a backslash, white space or a control character.
    public var host: String
    /// The port after the host; nil if there is none or it is not a number.
    public var port: Int?
    /// The path as written, with percent escapes; empty or beginning with a slash.
    public var path: String
    /// The query as written, without the question mark; nil if there is none.
    public var query: String?
    /// The fragment as written, without the hash; nil if there is none.
    public var fragment: String?

    public init(_ url: String) {
        let scan = URLScan(url)
        scheme = scan.scheme.lowercased()
        host = ""
        if let authority = scan.authority { (host, port) = URLParts.hostAndPort(authority) }
        path = String(scan.path)
        query = scan.query.map { String($0) }
        fragment = scan.fragment.map { String($0) }
    }

    /// Returns the ``host`` of a URL, without reading its other parts.
    public static func host(of url: String) -> String {
        URLScan(url).authority.map { hostAndPort($0).host } ?? ""
    }

    /// The query as decoded pairs, in order. A pair without `=` has an empty value; empty pairs (`&&`) are left out.
    public var queryItems: [QueryItem] { URLParts.queryItems(query ?? "") }

    public static func queryItems(_ query: String) -> [QueryItem] {
        guard !query.isEmpty else { return [] }
        return query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            var name = pair
            let value = name.splitOff(after: UInt8(ascii: "=")) ?? ""
            return QueryItem(
                name: PercentCoding.decode(Substring(name), plusIsSpace: true),
                value: PercentCoding.decode(value, plusIsSpace: true)
            )
        }
    }

    /// Returns the value of the first item of a query with a name; nil if there is none. Decodes no other value, and compares names without
    /// decoding them into texts: a query may have thousands of items.
    package static func firstValue(of name: String, in query: String) -> String? {
        var query = query
        return query.withUTF8 { bytes in
            firstItem(named: name, in: bytes).map { item in
                let value = item.drop { $0 != UInt8(ascii: "=") }.dropFirst()
                return PercentCoding.decode(String(decoding: value, as: UTF8.self)[...], plusIsSpace: true)
            }
        }
    }

    /// Whether a query has an item with a name. As cheap as ``firstValue(of:in:)``.
    package static func hasItem(named name: String, in query: String) -> Bool {
        var query = query
        return query.withUTF8 { firstItem(named: name, in: $0) != nil }
    }

    private static func firstItem(named name: String, in query: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>>? {
        var rest = query[...]
        while !rest.isEmpty {
            let item = rest.prefix { $0 != UInt8(ascii: "&") }
            if !item.isEmpty, PercentCoding.isEncoding(item.prefix { $0 != UInt8(ascii: "=") }, of: name.utf8) { return item }
            rest = rest[item.endIndex...].dropFirst()
        }
        return nil
    }

    /// Returns the value of the last item of a query that is named `$` and a name; nil if there is none. Decodes no other item: the name
    /// counts as it is, its `$` also as `%24`.
    package static func lastValue(ofControl name: StaticString, in query: String) -> String? {
        guard query.hasBytes(of: name) else { return nil }
        let spellings = ["$\(name)", "%24\(name)"]
        for item in query.utf8.split(separator: UInt8(ascii: "&")).reversed() {
            let written = item.prefix { $0 != UInt8(ascii: "=") }
            guard spellings.contains(where: { written.elementsEqual($0.utf8) }) else { continue }
            return PercentCoding.decode(Substring(item[written.endIndex...].dropFirst()), plusIsSpace: true)
        }
        return nil
    }

    /// The maximum length of a host name in bytes (RFC 1035: 255 on the wire, 253 as text). A longer host is treated as missing, so that
    /// nothing that compares hosts, or searches their parent domains, reads more.
    public static let maximumHostBytes = 253

    /// Returns the lower-case host name and the port of a `Host` header or a URL's authority. The host is empty if it is longer than
    /// ``maximumHostBytes``, or has a backslash, white space or a control character: browsers end a host at a backslash or refuse it, so
    /// what comes after it must not count as a domain.
    public static func hostAndPort(_ authority: some StringProtocol) -> (host: String, port: Int?) {
        let text = String(authority)
        var host = text.utf8[...]
        if let at = host.lastIndex(of: UInt8(ascii: "@")) { host = host[host.index(after: at)...] }
        var port: Int?
        if let colon = host.lastIndex(of: UInt8(ascii: ":")), !host[colon...].contains(UInt8(ascii: "]")) {
            port = Int(Substring(host[host.index(after: colon)...]))
            host = host[..<colon]
        }
        if host.last == UInt8(ascii: ".") { host.removeLast() }
        let isWellFormed = !text.utf8.contains { $0 == UInt8(ascii: "\\") || $0 <= 0x20 || $0 == 0x7F }
        guard host.count <= maximumHostBytes, isWellFormed else { return ("", port) }
        // Some letters have more bytes in lower case.
        let name = Substring(host).lowercased()
        return (name.utf8.count <= maximumHostBytes ? name : "", port)
    }

    /// Adds a pair to a URL's query, before any fragment.
    public static func appending(_ item: QueryItem, to url: String) -> String {
        appending(CollectionOfOne(item), to: url)
    }

    /// Adds pairs to a URL's query, before any fragment. Linear in the number of bytes.
    public static func appending(_ items: some Collection<QueryItem>, to url: String) -> String {
        guard !items.isEmpty else { return url }
        var bytes = url[...].utf8
        let fragment = bytes.splitOff(after: UInt8(ascii: "#"))
        let hasQuery = bytes.firstPosition(of: UInt8(ascii: "?")) != nil
        var separator =
            !hasQuery ? "?" : bytes.last == UInt8(ascii: "?") || bytes.last == UInt8(ascii: "&") ? "" : "&"
        var text = String(Substring(bytes))
        for item in items {
            text += separator
            text += PercentCoding.encodeQueryValue(item.name)
            text += "="
            text += PercentCoding.encodeQueryValue(item.value)
            separator = "&"
        }
        if let fragment {
            text += "#"
            text += fragment
        }
        return text
    }

    /// Removes the pairs with these names, as written, from a URL's query; everything else stays as written.
    public static func removing(_ names: Set<String>, from url: String) -> String {
        var bytes = url[...].utf8
        let fragment = bytes.splitOff(after: UInt8(ascii: "#"))
        guard let query = bytes.splitOff(after: UInt8(ascii: "?")) else { return url }
        let pairs = query.utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = pairs.filter { pair in !names.contains { pair.prefix { $0 != UInt8(ascii: "=") }.elementsEqual($0.utf8) } }
        guard kept.count < pairs.count else { return url }
        let rest = kept.map { String(Substring($0)) }.joined(separator: "&")
        return String(Substring(bytes)) + (rest.isEmpty ? "" : "?" + rest) + (fragment.map { "#" + $0 } ?? "")
    }
}
