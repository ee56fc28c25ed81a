import Foundation
import LindenKernel

/// An http or https URL, parsed strictly and rebuilt from its parts, so that the URL that was checked is the one that is requested.
package struct OutgoingURL: Sendable, CustomStringConvertible {
    package enum Host: Sendable, Hashable {
        /// Lower case, without a trailing dot.
        case name(String)
        case address(IPAddress)
    }

    package let isSecure: Bool
    package let host: Host
    package let port: Int
    /// Path and query, percent-encoded.
    private let target: String

    /// Throws ``FetchError/unsupportedURL``.
    package init(_ text: String) throws {
        try self.init(URL(string: text))
    }

    /// Returns the URL of a redirect's `Location`. Throws ``FetchError/unsupportedURL`` or ``FetchError/redirectedToPlainHTTP``.
    package func following(_ location: String) throws -> OutgoingURL {
        let next = try OutgoingURL(URL(string: location, relativeTo: URL(string: description))?.absoluteURL)
        guard next.isSecure || !isSecure else { throw FetchError.redirectedToPlainHTTP }
        return next
    }

    private init(_ url: URL?) throws {
        guard let url, let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            url.user == nil, url.password == nil,
            let host = url.host(percentEncoded: false).flatMap(Host.init)
        else { throw FetchError.unsupportedURL }
        isSecure = scheme == "https"
        self.host = host
        port = url.port ?? (isSecure ? 443 : 80)
        let path = url.path(percentEncoded: true)
        target = (path.isEmpty ? "/" : path) + (url.query(percentEncoded: true).map { "?" + $0 } ?? "")
    }

    package var description: String { description(port: port) }

    /// Returns the URL's text with another port.
    func description(port: Int) -> String {
        let isDefaultPort = port == (isSecure ? 443 : 80)
        return (isSecure ? "https://" : "http://") + host.description + (isDefaultPort ? "" : ":\(port)") + target
    }
}

extension OutgoingURL.Host: CustomStringConvertible {
    /// Parses a host name or an address in its canonical spelling. Nil for anything else: `127.1`, `0x7f.1` and `2130706433` are rejected,
    /// because libraries interpret them differently.
    init?(_ text: String) {
        var host = text.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        guard host.utf8.count <= 253, host.utf8.allSatisfy(\.isHostCharacter) else { return nil }
        if let address = IPAddress(host) {
            self = .address(address)
            return
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy({ (1...63).contains($0.utf8.count) && !$0.contains(":") }),
            let last = labels.last, !last.isNumber
        else { return nil }
        self = .name(host)
    }

    /// The host as written in a URL; IPv6 in brackets.
    package var description: String {
        switch self {
        case .name(let name): name
        case .address(let address): address.v4 == nil ? "[\(address)]" : "\(address)"
        }
    }
}

extension UInt8 {
    fileprivate var isHostCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-_.:".utf8.contains(self)
        }
    }
}

extension Substring {
    /// Whether a resolver could interpret a name that ends in this label as an IPv4 address.
    fileprivate var isNumber: Bool {
        utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            || hasPrefix("0x") && dropFirst(2).allSatisfy(\.isHexDigit)
    }
}
