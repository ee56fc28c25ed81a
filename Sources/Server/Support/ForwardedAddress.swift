import HTTPTypes
import Hummingbird
import Linden

extension ServerOptions {
    func isTrusted(_ proxy: ClientAddress) -> Bool { trustedProxies.contains { $0.contains(proxy) } }

    /// Returns the client's address: the peer's or, behind trusted proxies, the last address before them. Addresses forwarded by other
    /// peers are ignored. If a trusted proxy forwards an invalid address, the result is unknown, since the proxy's own is shared by all its
    /// clients.
    func clientAddress(of request: Request, _ context: LindenContext) -> ClientAddress {
        clientAddress(of: request, from: context.peer)
    }

    func clientAddress(of request: Request, from peer: ClientAddress?) -> ClientAddress {
        guard let peer else { return .unknown }
        switch origin(of: request, from: peer) {
        case .client(let address): return address
        case .malformed: return .unknown
        }
    }

    /// Returns the fault of a request's forwarded address, with the proxy that caused it; nil if there is none.
    func proxyFault(of request: Request, from peer: ClientAddress?) -> (kind: ProxyFault.Kind, proxy: ClientAddress)? {
        guard let peer, request.isForwarded else { return nil }
        guard isTrusted(peer) else { return (.untrusted, peer) }
        guard case .malformed(let proxy) = origin(of: request, from: peer) else { return nil }
        return (.malformed, proxy)
    }

    private enum Origin {
        case client(ClientAddress)
        /// Unknown: a trusted proxy forwarded an invalid address.
        case malformed(by: ClientAddress)
    }

    private func origin(of request: Request, from peer: ClientAddress) -> Origin {
        var address = peer
        var hops = request.forwardedAddresses
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

    /// The forwarded addresses, from the last proxy's to the client's: those of `X-Forwarded-For`, else of `Forwarded` (RFC 7239).
    fileprivate var forwardedAddresses: ForwardedAddresses {
        let hops = headers[values: .forwardedFor]
        if hops.contains(where: { $0.utf8.contains { $0 != UInt8(ascii: ",") } }) {
            return ForwardedAddresses(hops, arePairs: false)
        }
        return ForwardedAddresses(headers[values: .forwarded], arePairs: true)
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
