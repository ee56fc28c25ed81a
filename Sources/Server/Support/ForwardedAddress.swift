import HTTPTypes
import Hummingbird
import Linden

extension ServerOptions {
    func isTrusted(_ proxy: ClientAddress) -> Bool { trustedProxies.contains { $0.contains(proxy) } }

    /// The client's address: the peer's or, behind trusted proxies, the last address before them. Forwarded addresses from other senders
    /// are ignored.
    func clientAddress(of request: Request, _ context: LindenContext) -> ClientAddress {
        clientAddress(of: request, from: context.peer)
    }

    func clientAddress(of request: Request, from peer: ClientAddress?) -> ClientAddress {
        guard var address = peer else { return .unknown }
        for hop in request.forwardedAddresses.reversed() {
            guard isTrusted(address), let next = ClientAddress(hop) else { return address }
            address = next
        }
        return address
    }

    /// The peer, if it forwards an address without being a trusted proxy; nil otherwise.
    func untrustedProxy(of request: Request, from peer: ClientAddress?) -> ClientAddress? {
        guard let peer, request.isForwarded, !isTrusted(peer) else { return nil }
        return peer
    }
}

extension Request {
    /// Whether the sender names an address that it forwards the request for.
    var isForwarded: Bool { headers.contains(.forwardedFor) || headers.contains(.forwarded) }

    /// From the client's to the last proxy's: those of `X-Forwarded-For`, else of `Forwarded` (RFC 7239).
    fileprivate var forwardedAddresses: [Substring] {
        let hops = list(.forwardedFor)
        guard hops.isEmpty else { return hops }
        return list(.forwarded).map { element in
            let pairs = element.split(separator: ";").map { $0.split(separator: "=", maxSplits: 1) }
            let address = pairs.first { $0.first?.trimmingSpaces.lowercased() == "for" }?.last ?? ""
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
