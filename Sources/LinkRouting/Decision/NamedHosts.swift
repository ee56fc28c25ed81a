/// A set of hosts that an app owns or a link names, including all their subdomains.
///
/// `www.example.com` also includes `example.com`, which is the same site, but not its other subdomains.
public struct NamedHosts: Sendable, Hashable {
    private var names: Set<String> = []
    private var bareNames: Set<String> = []

    public init(_ hosts: some Sequence<String> = []) {
        for host in hosts { insert(host) }
    }

    /// Adds a host; `*.example.com` is equivalent to `example.com`.
    public mutating func insert(_ host: String) {
        let host = host.lowercased()
        let name = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
        guard !name.isEmpty else { return }
        names.insert(name)
        if name.hasPrefix("www."), name.dropFirst(4).contains(".") { bareNames.insert(String(name.dropFirst(4))) }
    }

    /// The memory of the names, in bytes.
    public var byteCost: Int { names.reduce(0) { $0 + $1.utf8.count + Self.overhead } * 2 }

    private static let overhead = 32

    /// Whether the set includes a host.
    ///
    /// A host longer than ``URLParts/maximumHostBytes`` is never included: each parent domain is hashed, which takes quadratic time.
    ///
    /// - Parameter host: in lower case, without a port.
    public func contains(_ host: String) -> Bool {
        if host.isEmpty || host.utf8.count > URLParts.maximumHostBytes { return false }
        if bareNames.contains(host) || names.contains(host) { return true }
        var rest = host[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if names.contains(String(rest)) { return true }
        }
        return false
    }
}
