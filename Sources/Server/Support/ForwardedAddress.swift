import HTTPTypes
import Hummingbird
import LindenKernel
import LindenServices

extension ServerOptions {
    func isTrusted(_ proxy: ClientAddress) -> Bool { trustedProxies.contains { $0.contains(proxy) } }

    /// Returns the client's address: the peer's or, behind trusted proxies, the last address before them. Addresses forwarded by other
    /// peers are ignored. If a trusted proxy forwards an invalid address, the result is unknown, since the proxy's own is shared by all its
    /// clients.
    func clientAddress(of request: Request, _ context: LindenContext) -> ClientAddress {
        clientAddress(of: request, from: context.peer)
    }

    func clientAddress(of request: Request, from peer: ClientAddress?) -> ClientAddress {
        clientAddress(by: request.forwarding, from: peer)
    }

    func clientAddress(by headers: ForwardingHeaders, from peer: ClientAddress?) -> ClientAddress {
        guard let peer else { return .unknown }
        switch origin(by: headers, from: peer) {
        case .client(let address): return address
        case .malformed: return .unknown
        }
    }

    /// Returns the fault of a request's forwarded address, with the proxy that caused it; nil if there is none.
    func proxyFault(of request: Request, from peer: ClientAddress?) -> (kind: ProxyFault.Kind, proxy: ClientAddress)? {
        guard request.isForwarded else { return nil }
        return proxyFault(by: request.forwarding, from: peer)
    }

    func proxyFault(by headers: ForwardingHeaders, from peer: ClientAddress?) -> (kind: ProxyFault.Kind, proxy: ClientAddress)? {
        guard let peer, !headers.isEmpty else { return nil }
        guard isTrusted(peer) else { return (.untrusted, peer) }
        guard case .malformed(let proxy) = origin(by: headers, from: peer) else { return nil }
        return (.malformed, proxy)
    }

    private enum Origin {
        case client(ClientAddress)
        /// Unknown: a trusted proxy forwarded an invalid address.
        case malformed(by: ClientAddress)
    }

    private func origin(by headers: ForwardingHeaders, from peer: ClientAddress) -> Origin {
        var address = peer
        var hops = headers.addresses
        while isTrusted(address), let hop = hops.next() {
            guard let next = ClientAddress(hop) else { return .malformed(by: address) }
            address = next
        }
        return .client(address)
    }
}

extension Request {
    /// Whether the request has a header with forwarded addresses.
    var isForwarded: Bool { headers.contains(.forwardedFor) || headers.contains(.forwarded) }

    var forwarding: ForwardingHeaders {
        ForwardingHeaders(lists: headers[values: .forwardedFor], pairs: headers[values: .forwarded])
    }
}

/// The headers by which proxies forward the client's address.
struct ForwardingHeaders {
    /// The values of `X-Forwarded-For`.
    var lists: [String] = []
    /// The values of `Forwarded` (RFC 7239).
    var pairs: [String] = []

    var isEmpty: Bool { lists.isEmpty && pairs.isEmpty }

    /// The forwarded addresses, from the last proxy's to the client's: those of `X-Forwarded-For`, else of `Forwarded`.
    fileprivate var addresses: ForwardedAddresses {
        if lists.contains(where: { $0.utf8.contains { $0 != UInt8(ascii: ",") } }) {
            return ForwardedAddresses(lists, arePairs: false)
        }
        return ForwardedAddresses(pairs, arePairs: true)
    }
}

/// A lazy iterator of forwarded addresses, from the last to the first. Only what trusted proxies added is parsed, however much a client
/// sent before it.
private struct ForwardedAddresses: IteratorProtocol {
    private var values: [String]
    private var rest: Substring.UTF8View = ""[...].utf8
    /// Whether the elements are pairs, as in `Forwarded`.
    private let arePairs: Bool

    /// Maximum bytes of an element. A longer one is not an address.
    private static let longestElement = 512

    init(_ values: [String], arePairs: Bool) {
        self.values = values
        self.arePairs = arePairs
    }

    mutating func next() -> String? {
        while let element = nextElement() {
            guard element.count <= Self.longestElement else { return "" }
            if !arePairs { return String(Substring(element)) }
            // An element may have other parameters only, such as the scheme.
            if let address = Self.address(in: Substring(element)) { return address }
        }
        return nil
    }

    private mutating func nextElement() -> Substring.UTF8View? {
        while true {
            guard !rest.isEmpty else {
                guard let value = values.popLast() else { return nil }
                rest = value[...].utf8
                continue
            }
            let comma = rest.lastIndex(of: UInt8(ascii: ","))
            let element = comma.map { rest[rest.index(after: $0)...] } ?? rest
            rest = rest[..<(comma ?? rest.startIndex)]
            if !element.isEmpty { return element }
        }
    }

    private static func address(in element: Substring) -> String? {
        let pairs = element.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
        return pairs.first { $0.first?.trimmingSpaces.lowercased() == "for" }?.last?.filter { $0 != "\"" }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring { drop { $0 == " " }.prefix { $0 != " " } }
}

extension HTTPField.Name {
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
    static let forwarded = HTTPField.Name("Forwarded")!
}
