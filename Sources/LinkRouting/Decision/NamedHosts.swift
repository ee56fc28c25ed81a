/// A set of hosts that an app owns or a link names, including all their subdomains.
///
/// `www.example.com` also includes `example.com`, which is the same site, but not its other subdomains.
public struct NamedHosts: Sendable, Hashable {
    /// A name by its bytes: the normal form of texts, by which they are compared, takes ten times as long to make.
    private struct Name: Sendable, Hashable {
        let bytes: [UInt8]

        func hash(into hasher: inout Hasher) {
            bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    /// The most dots of a host that is looked up. Each parent domain is hashed, for each URL that a visit appends.
    private static let mostDots = 32

    private var names: Set<Name> = []
    private var bareNames: Set<Name> = []

    public init(_ hosts: some Sequence<String> = []) {
        for host in hosts { insert(host) }
    }

    /// Adds a host; `*.example.com` is equivalent to `example.com`.
    public mutating func insert(_ host: String) {
        let host = host.lowercased()
        let name = host.hasPrefix("*.") ? String(host.dropFirst(2)) : host
        guard !name.isEmpty else { return }
        let bytes = Array(name.utf8)
        names.insert(Name(bytes: bytes))
        if name.hasPrefix("www."), bytes.dropFirst(4).contains(UInt8(ascii: ".")) {
            bareNames.insert(Name(bytes: Array(bytes.dropFirst(4))))
        }
    }

    /// The memory of the names, in bytes.
    public var byteCost: Int { names.reduce(0) { $0 + $1.bytes.count + Self.overhead } * 2 }

    private static let overhead = 32

    /// Whether the set includes a host.
    ///
    /// A host longer than ``URLParts/maximumHostBytes``, or with more than ``mostDots``, is never included.
    ///
    /// - Parameter host: in lower case, without a port.
    public func contains(_ host: String) -> Bool {
        if host.isEmpty || host.utf8.count > URLParts.maximumHostBytes { return false }
        let bytes = Array(host.utf8)
        let dots = bytes.indices.filter { bytes[$0] == UInt8(ascii: ".") }
        guard dots.count <= Self.mostDots else { return false }
        if bareNames.contains(Name(bytes: bytes)) || names.contains(Name(bytes: bytes)) { return true }
        return dots.contains { names.contains(Name(bytes: Array(bytes[($0 + 1)...]))) }
    }
}
