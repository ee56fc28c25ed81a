/// Tells the class of an address by what the operator knows of networks.
package struct AddressClassifier: Sendable {
    private let sharedNetworks: NetworkSet
    private let sharedOwners: Set<UInt32>
    private let owner: NetworkOwnerLookup

    /// - Parameter sharedOwners: numbers of autonomous systems.
    package init(
        sharedNetworks: NetworkSet = NetworkSet([]), sharedOwners: Set<UInt32> = [],
        owner: @escaping NetworkOwnerLookup = { _ in nil }
    ) {
        self.sharedNetworks = sharedNetworks
        self.sharedOwners = sharedOwners
        self.owner = owner
    }

    /// A network that is listed counts as that, whoever owns it.
    package func addressClass(of address: ClientAddress) -> AddressClass {
        if sharedNetworks.contains(address) { return .listed }
        guard !sharedOwners.isEmpty, let number = owner(address), sharedOwners.contains(number) else { return .plain }
        return .owner
    }
}

/// Tells by its number which autonomous system (RFC 4271) an address belongs to; nil if nobody knows. Like an ``AddressClassLookup`` it
/// must not wait for anything.
package typealias NetworkOwnerLookup = @Sendable (ClientAddress) -> UInt32?
