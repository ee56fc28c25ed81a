/// The origin of a call without a secret, as the limits of rewards count it: its address and its network, each hashed under the key of the
/// day. Also where addresses are kept as they are: an erasure does not look for them here.
package struct RewardOrigin: Sendable, Equatable {
    /// A source that rewards are counted by.
    package enum Source: Sendable, Hashable {
        /// An IPv4 address, or the /64 of IPv6 that one household has.
        case address(String)
        /// The /24 of an IPv4 address or the /48 of an IPv6 address.
        case network(String)
        /// All calls together.
        case anywhere

        /// As it is stored.
        package var text: String {
            switch self {
            case .address(let text): "address " + text
            case .network(let text): "network " + text
            case .anywhere: ""
            }
        }
    }

    /// Hashes; nil where the address is unknown or not kept. Then only all calls together are counted.
    let address: String?
    let network: String?

    init(address: String? = nil, network: String? = nil) {
        self.address = address
        self.network = network
    }

    var sources: [Source] {
        [address.map(Source.address), network.map(Source.network), .anywhere].compactMap { $0 }
    }
}

extension AddressBook {
    /// To be called before the transaction that counts.
    func rewardOrigin(_ address: ClientAddress) async throws -> RewardOrigin {
        guard privacy.form != .none, !address.isUnknown else { return RewardOrigin() }
        return RewardOrigin(address: try await hash(address), network: try await hash(address.surroundings))
    }

    /// The hashes under which rewards from an address are counted and held, of all days whose keys are kept.
    func rewardHashes(ofAddress address: ClientAddress) async throws -> [String] { try await hashes(of: address) }

    /// The same for its network, see ``RewardOrigin/Source/network(_:)``.
    func rewardHashes(ofNetworkOf address: ClientAddress) async throws -> [String] { try await hashes(of: address.surroundings) }
}

extension ClientAddress {
    /// The first address of its network.
    fileprivate var surroundings: ClientAddress { isUnknown ? self : network(prefix: isIPv6 ? 48 : 24).address }
}
