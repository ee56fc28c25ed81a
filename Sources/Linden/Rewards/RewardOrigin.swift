import LindenKernel

/// The origin of a call without the secret, for the limits of rewards: its address and its network, each hashed with the day's key. They
/// are hashed even if the installation stores plain addresses, because an erasure does not search them.
///
/// They are hashed when a reward or a referral is counted, since most calls bring none.
package struct RewardOrigin: Sendable {
    /// A source by which rewards are counted.
    package enum Source: Sendable, Hashable {
        /// An IPv4 address, or an IPv6 /64 network, which corresponds to one household.
        case address(String)
        /// The /24 of an IPv4 address or the /48 of an IPv6 address.
        case network(String)
        /// All calls without the secret together.
        case anywhere

        /// The stored form.
        package var text: String {
            switch self {
            case .address(let text): "address " + text
            case .network(let text): "network " + text
            case .anywhere: ""
            }
        }
    }

    private let client: (address: ClientAddress, key: AddressKey)?

    /// Creates an unknown origin, of which only ``Source/anywhere`` is counted.
    package init() { client = nil }

    fileprivate init(_ address: ClientAddress, _ key: AddressKey) { client = (address, key) }

    /// The hash of the address; nil if it is unknown or addresses are not stored.
    package var address: String? { client.map { $0.key.hash($0.address) } }
    /// The hash of the network; nil like that of the address.
    package var network: String? { client.map { $0.key.hash($0.address.surroundings) } }

    package var sources: [Source] {
        [address.map(Source.address), network.map(Source.network), .anywhere].compactMap { $0 }
    }
}

extension AddressPseudonymizer {
    /// Returns the origin of a call. To be called before the transaction that counts, because it may create the day's key.
    package func rewardOrigin(_ address: ClientAddress) async throws -> RewardOrigin {
        guard privacy.form != .none, !address.isUnknown else { return RewardOrigin() }
        return RewardOrigin(address, try await key(neededFor: .zero))
    }

    /// Returns the hashes of an address as an origin of rewards, under all keys that are still stored.
    package func rewardHashes(ofAddress address: ClientAddress) async throws -> [String] { try await hashes(of: address) }

    /// Returns the hashes of an address's network, see ``RewardOrigin/Source/network(_:)``, under all keys that are still stored.
    package func rewardHashes(ofNetworkOf address: ClientAddress) async throws -> [String] {
        try await hashes(of: address.surroundings)
    }
}

extension ClientAddress {
    /// The first address of its network.
    fileprivate var surroundings: ClientAddress { isUnknown ? self : network(prefix: isIPv6 ? 48 : 24).address }
}
