import LindenKernel

/// A client address with its precomputed comparison keys.
struct SimulatedAddress: Sendable, Hashable {
    let text: String
    /// Linden's match key: the whole IPv4 address, or the IPv6 /64.
    let key: String
    /// The IPv4 /24, or the IPv6 /64, which is no finer than a home.
    let block: String

    var isIPv6: Bool { text.contains(":") }

    init(_ text: String) {
        self.text = text
        key = ClientAddress(text)?.matchKey ?? ""
        block = text.contains(":") ? key : String(text[..<text.lastIndex(of: ".")!])
    }

    init(v4 number: UInt32) {
        self.init(stride(from: 24, through: 0, by: -8).map { String(number >> UInt32($0) & 0xFF) }.joined(separator: "."))
    }

    /// - Parameters:
    ///   - network: the first 64 bits.
    ///   - host: the last 64 bits, which phones change every day.
    init(v6 network: UInt64, host: UInt64) {
        let groups = [network, host].flatMap { half in stride(from: 48, through: 0, by: -16).map { half >> UInt64($0) & 0xFFFF } }
        self.init(groups.map { String($0, radix: 16) }.joined(separator: ":"))
    }
}
