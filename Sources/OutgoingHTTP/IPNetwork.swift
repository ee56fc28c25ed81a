import LindenKernel

/// A range of addresses with a common prefix (CIDR), such as `10.0.0.0/8` or `2001:db8::/32`.
package struct IPNetwork: Hashable, Sendable, ExpressibleByStringLiteral {
    private let prefix: UInt128
    private let mask: UInt128

    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = IPAddress(String(parts[0])), let length = Int(parts[1]) else { return nil }
        let width = address.v4 == nil ? 128 : 32
        guard (0...width).contains(length) else { return nil }
        // Shifting by all 128 bits yields zero, as `<<` does in Swift.
        mask = UInt128.max << (width - length)
        prefix = address.bits & mask
    }

    /// Creates a network from a source literal; an invalid literal is a programming error and traps.
    package init(stringLiteral text: String) {
        guard let network = IPNetwork(text) else { preconditionFailure("\(text) is not a network.") }
        self = network
    }

    package func contains(_ address: IPAddress) -> Bool {
        address.bits & mask == prefix
    }
}
