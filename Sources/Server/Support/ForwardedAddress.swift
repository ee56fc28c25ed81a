import HTTPTypes
import Hummingbird
import Linden

extension ServerOptions {
    func isTrusted(_ proxy: ClientAddress) -> Bool { trustedProxies.contains { $0.contains(proxy) } }

    /// The client's address: the peer's or, behind trusted proxies, the last address before them. Forwarded addresses from other senders
    /// are ignored. Where a trusted proxy forwards what is no address, the client's is unknown: the proxy's own is that of all its clients.
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

    /// What is wrong with the address that a request was forwarded with, and the proxy that did it; nil for nothing.
    func proxyFault(of request: Request, from peer: ClientAddress?) -> (kind: ProxyFault.Kind, proxy: ClientAddress)? {
        guard let peer, request.isForwarded else { return nil }
        guard isTrusted(peer) else { return (.untrusted, peer) }
        guard case .malformed(let proxy) = origin(of: request, from: peer) else { return nil }
        return (.malformed, proxy)
    }

    private enum Origin {
        case client(ClientAddress)
        /// No one knows, since a trusted proxy forwards what is no address.
        case malformed(by: ClientAddress)
    }

    private func origin(of request: Request, from peer: ClientAddress) -> Origin {
        var address = peer
        for hop in request.forwardedAddresses.reversed() {
            guard isTrusted(address) else { break }
            guard let next = ClientAddress(hop) else { return .malformed(by: address) }
            address = next
        }
        return .client(address)
    }
}

extension Request {
    /// Whether the sender names an address that it forwards the request for.
    var isForwarded: Bool { headers.contains(.forwardedFor) || headers.contains(.forwarded) }

    /// From the client's to the last proxy's: those of `X-Forwarded-For`, else of `Forwarded` (RFC 7239).
    fileprivate var forwardedAddresses: [Substring] {
        let hops = list(.forwardedFor)
        guard hops.isEmpty else { return hops }
        return list(.forwarded).compactMap { element in
            let pairs = element.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
            // An element may say something else alone, such as the scheme.
            guard let address = pairs.first(where: { $0.first?.trimmingSpaces.lowercased() == "for" })?.last else { return nil }
            return Substring(address.filter { $0 != "\"" })
        }
    }

    private func list(_ name: HTTPField.Name) -> [Substring] {
        headers[values: name].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")).map { Substring($0) } }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring { drop { $0 == " " }.prefix { $0 != " " } }
}

extension HTTPField.Name {
    static let forwardedFor = HTTPField.Name("X-Forwarded-For")!
    static let forwarded = HTTPField.Name("Forwarded")!
}
