import Foundation
import LinkRouting

/// Where a link lies: a host and a path on it. Unique.
package struct LinkAddress: Sendable, Hashable {
    /// A registered domain; empty for the base URL's host, so that such links move with the base URL.
    package let host: String
    /// The slug or alias, decoded, without the leading slash. In Unicode's composed form: keyboards write an é in two ways, and both
    /// are the same link to memory and database alike.
    package let path: String

    package init(host: String, path: String) {
        self.host = host
        self.path = path.utf8.allSatisfy { $0 < 0x80 } ? path : path.precomposedStringWithCanonicalMapping
    }
}

/// The public address of this server, `http.base_url`: where links without a domain of their own lie.
package struct BaseURL: Sendable, Hashable {
    /// Without a trailing slash.
    package let text: String
    package let host: String

    /// Fails with `invalid` for anything but scheme, host and optional port.
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

    /// A host name or address and perhaps a port, and nothing that a browser would have to guess at.
    private static func isAuthority(_ authority: Substring, _ parts: URLParts) -> Bool {
        let isHost = (try? Domain.normalizedHost(parts.host)) != nil || ClientAddress(parts.host) != nil
        let hasPort = authority.drop { $0 != "]" }.contains(":") || !authority.contains("]") && authority.contains(":")
        return isHost && !authority.contains("@") && (!hasPort || (1...65535).contains(parts.port ?? 0))
    }

    /// Where an app's long links begin, see ``LongLink``.
    package func longLinkBase(of app: AppContext) -> String {
        url(of: LinkAddress(host: app.domain ?? "", path: "a/" + app.key.branchKey))
    }

    /// - Parameters:
    ///   - query: what was appended to it, as it was written. A long link is its query.
    ///   - isWebOnly: whether it is to be the link for the web only.
    package func url(of link: Link, appended query: String? = nil, isWebOnly: Bool = false) -> String {
        let query = link.query ?? query ?? ""
        let address = isWebOnly ? LinkAddress(host: link.address.host, path: "e/" + link.address.path) : link.address
        return url(of: address) + (query.isEmpty ? "" : "?" + PercentCoding.encodeIllegal(query))
    }

    /// The URL of a link. A registered domain is a public name and is always shown with https, which Universal Links and App Links
    /// demand.
    package func url(of address: LinkAddress) -> String {
        (address.host.isEmpty ? text : "https://" + address.host) + "/" + PercentCoding.encodePath(address.path)
    }

    /// The other address that has the same URL, where the base URL's host is an app's domain; nil if there is none.
    func twin(of address: LinkAddress) -> LinkAddress? {
        switch address.host {
        case "": LinkAddress(host: host, path: address.path)
        case host: LinkAddress(host: "", path: address.path)
        default: nil
        }
    }

    private static func withoutOuterSlashes(_ path: String) -> Substring {
        var path = path.utf8[...]
        while path.first == UInt8(ascii: "/") { path.removeFirst() }
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        return Substring(path)
    }

    /// The addresses a URL may mean, best first. A link may lie on the domain itself or, where the host is the base URL's or
    /// unregistered (an address, a name behind a proxy), among the shared ones.
    package func addresses(host: String, path: String, isRegistered: Bool) -> [LinkAddress] {
        let path = PercentCoding.decode(Self.withoutOuterSlashes(path))
        let shared = LinkAddress(host: "", path: path)
        if !isRegistered { return [shared] }
        let own = LinkAddress(host: host, path: path)
        return host == self.host ? [own, shared] : [own]
    }
}
