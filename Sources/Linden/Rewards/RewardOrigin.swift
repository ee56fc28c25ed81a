/// Where a call without a secret came from, as the limits of rewards count it: its address and its network, each in the form in which
/// addresses are kept on that day.
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

    let sources: [Source]

    /// - Parameters:
    ///   - address: empty where it is unknown or not kept; then only all calls together are counted.
    ///   - network: likewise.
    init(address: String = "", network: String = "") {
        sources =
            (address.isEmpty ? [] : [.address(address)]) + (network.isEmpty ? [] : [.network(network)]) + [.anywhere]
    }
}

extension AddressBook {
    /// To be called before the transaction that counts.
    func rewardOrigin(_ address: ClientAddress) async throws -> RewardOrigin {
        RewardOrigin(address: try await counted(address), network: try await counted(address.surroundings))
    }

    /// Also where addresses are kept as they are: an erasure does not look for them here.
    private func counted(_ address: ClientAddress) async throws -> String {
        privacy.form == .raw && !address.isUnknown ? Self.processKey.hash(address) : try await written(address)
    }

    /// A key in memory alone.
    private static let processKey = AddressKey(day: 0, neededUntil: Timestamp(milliseconds: 0), random: .system)
}

extension ClientAddress {
    /// The first address of its network.
    fileprivate var surroundings: ClientAddress { isUnknown ? self : network(prefix: isIPv6 ? 48 : 24).address }
}
