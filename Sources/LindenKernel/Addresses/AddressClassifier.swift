/// Classifies addresses by the networks and autonomous systems that the operator configured as shared.
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

    /// Returns the class of an address. A listed network takes precedence over the owner.
    package func addressClass(of address: ClientAddress) -> AddressClass {
        if sharedNetworks.contains(address) { return .listed }
        guard !sharedOwners.isEmpty, let number = owner(address), sharedOwners.contains(number) else { return .plain }
        return .owner
    }
}

/// A function that returns the number of the autonomous system (RFC 4271) of an address; nil if unknown. Like an ``AddressClassLookup`` it
/// must not block.
package typealias NetworkOwnerLookup = @Sendable (ClientAddress) -> UInt32?
