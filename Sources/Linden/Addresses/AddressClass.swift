/// How well an address tells people apart, in one word, as it is stored with a click.
package enum AddressClass: String, Sendable, CaseIterable {
    /// Nothing is known against it: a home, an office, a phone.
    case plain
    /// In one of the networks that the operator lists (`attribution.shared_ranges`): many unrelated people share it.
    case listed
    /// Its network belongs to somebody who lets many share an address (`attribution.shared_owners`).
    case owner

    package var isShared: Bool { self != .plain }
}

/// Tells the class of an address while that is still whole: neither cut to its network nor hashed. It is asked for every click and
/// session, so it must not wait for anything.
package typealias AddressClassLookup = @Sendable (ClientAddress) -> AddressClass
