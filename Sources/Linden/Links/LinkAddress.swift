import LinkRouting

/// Where a link lies: a host and a path on it. Unique.
package struct LinkAddress: Sendable, Hashable {
    /// A registered domain; empty for the base URL's host, so that such links move with the base URL.
    package let host: String
    /// The slug or alias, decoded, without the leading slash.
    package let path: String

    package init(host: String, path: String) {
        self.host = host
        self.path = path
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
        guard ["http", "https"].contains(parts.scheme), !parts.host.isEmpty, parts.path.isEmpty || parts.path == "/",
            parts.query == nil, parts.fragment == nil, !text.contains("@")
        else {
            throw Failure.invalid("must be http:// or https:// with a host and an optional port, such as https://go.example.com")
        }
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
        host = parts.host
    }

    /// The URL of a link. A registered domain is a public name and is always shown with https, which Universal Links and App Links
    /// demand.
    package func url(of address: LinkAddress) -> String {
        (address.host.isEmpty ? text : "https://" + address.host) + "/" + PercentCoding.encodePath(address.path)
    }

    /// The addresses a URL may mean, best first. A link may lie on the domain itself or, where the host is the base URL's or
    /// unregistered (an address, a name behind a proxy), among the shared ones.
    package func addresses(host: String, path: String, isRegistered: Bool) -> [LinkAddress] {
        let path = PercentCoding.decode(path.drop { $0 == "/" })
        let shared = LinkAddress(host: "", path: path)
        if !isRegistered { return [shared] }
        let own = LinkAddress(host: host, path: path)
        return host == self.host ? [own, shared] : [own]
    }
}
