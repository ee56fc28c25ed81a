/// The class of an address by how well it distinguishes visitors, as stored with a click.
package enum AddressClass: String, Sendable, CaseIterable {
    /// Not known to be shared: a home, an office, a phone.
    case plain
    /// In one of the networks that the operator lists (`attribution.shared_ranges`), which many unrelated visitors share.
    case listed
    /// In an autonomous system whose addresses are shared by many visitors (`attribution.shared_owners`).
    case owner

    package var isShared: Bool { self != .plain }
}

/// A function that returns the class of an address, given the full address, neither truncated to its network nor hashed. Called for every
/// click and session, so it must not block.
package typealias AddressClassLookup = @Sendable (ClientAddress) -> AddressClass
