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
        clientAddress(by: request.forwardedAddresses, from: peer)
    }

    func clientAddress(by addresses: ForwardedAddresses, from peer: ClientAddress?) -> ClientAddress {
        guard let peer else { return .unknown }
        switch origin(by: addresses, from: peer) {
        case .client(let address): return address
        case .malformed: return .unknown
        }
    }

    /// Returns the fault of a request's forwarded address, with the proxy that caused it; nil if there is none.
    func proxyFault(of request: Request, from peer: ClientAddress?) -> (kind: ProxyFault.Kind, proxy: ClientAddress)? {
        guard request.isForwarded else { return nil }
        return proxyFault(by: request.forwardedAddresses, from: peer)
    }

    func proxyFault(by addresses: ForwardedAddresses, from peer: ClientAddress?) -> (kind: ProxyFault.Kind, proxy: ClientAddress)? {
        guard let peer, !addresses.isEmpty else { return nil }
        guard isTrusted(peer) else { return (.untrusted, peer) }
        guard case .malformed(let proxy) = origin(by: addresses, from: peer) else { return nil }
        return (.malformed, proxy)
    }

    private enum Origin {
        case client(ClientAddress)
        /// Unknown: a trusted proxy forwarded an invalid address.
        case malformed(by: ClientAddress)
    }

    private func origin(by addresses: ForwardedAddresses, from peer: ClientAddress) -> Origin {
        var address = peer
        var hops = addresses
        while isTrusted(address), let hop = hops.next() {
            guard let next = ClientAddress(hop) else { return .malformed(by: address) }
            address = next
        }
        return .client(address)
    }
}

extension Request {
    /// Whether the request has a header with forwarded addresses.
    var isForwarded: Bool { headers.contains(.forwardedFor) }

    var forwardedAddresses: ForwardedAddresses { ForwardedAddresses(headers[values: .forwardedFor]) }
}

/// The forwarded addresses of `X-Forwarded-For`, from the last proxy's to the client's. Only what trusted proxies added is parsed, however
/// much a client sent before it.
///
/// `Forwarded` (RFC 7239) is not read: with two headers, a client could send the one that its proxy does not write.
struct ForwardedAddresses: Sequence, IteratorProtocol {
    private let values: [String]
    /// The number of values that have not been read.
    private var unread: Int
    private var rest: Substring.UTF8View = ""[...].utf8

    /// Maximum bytes of an element. A longer one is not an address.
    private static let longestElement = 512

    /// - Parameter values: the values of the header, in their order.
    init(_ values: [String] = []) {
        self.values = values
        unread = values.count
    }

    /// Whether the header is missing.
    var isEmpty: Bool { values.isEmpty }

    mutating func next() -> String? {
        guard let element = nextElement() else { return nil }
        return element.count <= Self.longestElement ? String(Substring(element)) : ""
    }

    private mutating func nextElement() -> Substring.UTF8View? {
        while true {
            guard !rest.isEmpty else {
                guard unread > 0 else { return nil }
                unread -= 1
                rest = values[unread][...].utf8
                continue
            }
            let comma = rest.lastIndex(of: UInt8(ascii: ","))
            let element = comma.map { rest[rest.index(after: $0)...] } ?? rest
            rest = rest[..<(comma ?? rest.startIndex)]
            if !element.isEmpty { return element }
        }
    }
}

extension HTTPField.Name {
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
}
