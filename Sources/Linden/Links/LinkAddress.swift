import Foundation
import LindenKernel
import LinkRouting

/// The address of a link: a host and a path on it. Unique.
package struct LinkAddress: Sendable, Hashable {
    /// A registered domain; empty for the base URL's host, so that such links follow a change of the base URL.
    package let host: String
    /// The slug or alias, decoded, without the leading slash, in Unicode normalization form C: keyboards write é in two ways, and memory
    /// and database must treat both as the same link.
    package let path: String

    package init(host: String, path: String) {
        self.host = host
        self.path = path.utf8.allSatisfy { $0 < 0x80 } ? path : path.precomposedStringWithCanonicalMapping
    }

    private init(host: String, of other: LinkAddress) {
        (self.host, path) = (host, other.path)
    }

    /// Returns the address of the same path on another host.
    func on(_ host: String) -> LinkAddress { LinkAddress(host: host, of: self) }
}

/// The public URL of this server, `http.base_url`: the address of links without a domain of their own.
package struct BaseURL: Sendable, Hashable {
    /// Without a trailing slash.
    package let text: String
    package let host: String

    /// Parses a URL of scheme, host and optional port. Throws `invalid` for anything else.
    package init(_ text: String) throws {
        let parts = URLParts(text)
        let authority = text.split(separator: "/").dropFirst().first ?? ""
        guard ["http", "https"].contains(parts.scheme), parts.path.isEmpty || parts.path == "/", parts.query == nil,
            parts.fragment == nil, BaseURL.isAuthority(authority, parts)
        else {
            throw Failure.invalid("must be http:// or https:// with a host and an optional port, such as https://go.example.com")
        }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
        host = parts.host
    }

    /// Returns whether the authority is a host name or address with an optional port, and nothing that browsers interpret differently.
    private static func isAuthority(_ authority: Substring, _ parts: URLParts) -> Bool {
        let isHost = (try? Domain.normalizedHost(parts.host)) != nil || ClientAddress(parts.host) != nil
        let hasPort = authority.drop { $0 != "]" }.contains(":") || !authority.contains("]") && authority.contains(":")
        return isHost && !authority.contains("@") && (!hasPort || (1...65535).contains(parts.port ?? 0))
    }

    /// Returns the base URL of an app's long links, see ``LongLink``.
    package func longLinkBase(of app: AppContext) -> String {
        url(of: LinkAddress(host: app.domain ?? "", path: "a/" + app.key.branchKey))
    }

    /// Returns the URL of a link.
    ///
    /// - Parameters:
    ///   - query: the appended query, not decoded. A long link's own query replaces it.
    ///   - isWebOnly: whether to return the web-only variant (`/e/…`).
    package func url(of link: Link, appended query: String? = nil, isWebOnly: Bool = false) -> String {
        let query = link.query ?? query ?? ""
        let address = isWebOnly ? LinkAddress(host: link.address.host, path: "e/" + link.address.path) : link.address
        return url(of: address) + (query.isEmpty ? "" : "?" + PercentCoding.encodeIllegal(query))
    }

    /// Returns the URL of an address. A registered domain is a public name and always gets https, which Universal Links and App Links
    /// require.
    package func url(of address: LinkAddress) -> String {
        (address.host.isEmpty ? text : "https://" + address.host) + "/" + PercentCoding.encodePath(address.path)
    }

    /// Returns the equivalent address with the same URL, where the base URL's host is also an app's domain; nil if there is none.
    func equivalentAddress(of address: LinkAddress) -> LinkAddress? {
        switch address.host {
        case "": LinkAddress(host: host, path: address.path)
        case host: LinkAddress(host: "", path: address.path)
        default: nil
        }
    }

    /// The maximum length in bytes of a decoded path: an alias of ``LengthLimits/alias`` scalars in any normalization form.
    private static let longestPath = 16 * LengthLimits.alias

    private static func withoutOuterSlashes(_ path: String) -> Substring {
        var path = path.utf8[...]
        while path.first == UInt8(ascii: "/") { path.removeFirst() }
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        return Substring(path)
    }

    /// Returns the addresses that a URL may refer to, best first. A link may have the domain itself as host or, if the host is the base
    /// URL's or unregistered (an IP address, a name behind a proxy), the empty one. None for a path longer than any alias, which would
    /// take milliseconds to normalize.
    package func addresses(host: String, path: String, isRegistered: Bool) -> [LinkAddress] {
        let encoded = Self.withoutOuterSlashes(path)
        guard encoded.utf8.count <= 3 * Self.longestPath else { return [] }
        let decoded = PercentCoding.decode(encoded)
        guard decoded.utf8.count <= Self.longestPath else { return [] }
        let shared = LinkAddress(host: "", path: decoded)
        if !isRegistered { return [shared] }
        let own = LinkAddress(host: host, path: decoded)
        return host == self.host ? [own, shared] : [own]
    }
}
