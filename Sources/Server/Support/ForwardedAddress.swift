import HTTPTypes
import Hummingbird
import LindenKernel
import LindenServices

extension ServerOptions {
    func isTrusted(_ proxy: ClientAddress) -> Bool { trustedProxies.contains { $0.contains(proxy) } }

    /// The fault of a forwarded address, with the proxy that caused it.
    typealias Fault = (kind: ProxyFault.Kind, proxy: ClientAddress)

    /// A request's client, with the fault of the address that was forwarded.
    typealias Client = (address: ClientAddress, fault: Fault?)

    /// Returns the client's address: the peer's or, behind trusted proxies, the last address before them. Addresses forwarded by other
    /// peers are ignored. If a trusted proxy forwards an invalid address, the result is unknown, since the proxy's own is shared by all its
    /// clients.
    func client(by addresses: ForwardedAddresses, from peer: ClientAddress?) -> Client {
        guard let peer else { return (.unknown, nil) }
        guard !addresses.isEmpty else { return (peer, nil) }
        guard isTrusted(peer) else { return (peer, (.untrusted, peer)) }
        var (address, hops) = (peer, addresses)
        while isTrusted(address), let hop = hops.next() {
            guard let next = ClientAddress(hop) else { return (.unknown, (.malformed, address)) }
            address = next
        }
        return (address, nil)
    }

    func clientAddress(of request: Request, from peer: ClientAddress?) -> ClientAddress {
        client(by: request.forwardedAddresses, from: peer).address
    }

    func clientAddress(by addresses: ForwardedAddresses, from peer: ClientAddress?) -> ClientAddress {
        client(by: addresses, from: peer).address
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
