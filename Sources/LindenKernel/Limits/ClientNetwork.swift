/// The two networks of a client by which limits are shared: its address and the site around it.
package struct ClientNetwork: Sendable, Hashable {
    /// An IPv4 address or an IPv6 /64, see ``ClientAddress/networkNumber``.
    package let address: UInt64
    /// An IPv4 /24 or an IPv6 /48, see ``ClientAddress/siteNumber``.
    package let site: UInt64

    package init(_ address: ClientAddress) {
        self.address = address.networkNumber
        site = address.siteNumber
    }
}

/// The maximum of a limited amount that one address, and one site, may use.
///
/// A limit by address alone does not bind one customer of an IPv6 provider, whose /48 has 65,536 networks that each count as an address.
package struct NetworkShares: Sendable {
    package let address: Int
    package let site: Int

    /// - Parameter site: the share of a site; ``sitePerAddress`` times that of an address by default.
    package init(address: Int, site: Int? = nil) {
        self.address = address
        self.site = site ?? Self.sitePerAddress * address
    }

    /// The usual share of a site, as a multiple of the share of an address.
    package static let sitePerAddress = 4
}

/// A share of ``NetworkShares``.
package enum NetworkShare: Sendable {
    case address, site
}

/// Amounts in use, by address and by site.
///
/// - Parameters:
///   - Address: the key of an address.
///   - Site: the key of a site.
package struct NetworkUse<Address: Hashable & Sendable, Site: Hashable & Sendable>: Sendable {
    private var byAddress: [Address: Int] = [:]
    private var bySite: [Site: Int] = [:]

    package init() {}

    /// Adds an amount unless a share would be exceeded; returns false then, and counts nothing. A nil key has no share.
    package mutating func take(_ count: Int, _ address: Address?, _ site: Site?, within shares: NetworkShares) -> Bool {
        let ofAddress = address.map { byAddress[$0, default: 0] + count } ?? 0
        let ofSite = site.map { bySite[$0, default: 0] + count } ?? 0
        guard ofAddress <= shares.address, ofSite <= shares.site else { return false }
        if let address { byAddress[address] = ofAddress }
        if let site { bySite[site] = ofSite }
        return true
    }

    /// Returns the share that an additional amount exceeds, the smallest first; nil if it exceeds none.
    package func share(exceededBy count: Int, _ address: Address?, _ site: Site?, within shares: NetworkShares) -> NetworkShare? {
        if let address, byAddress[address, default: 0] + count > shares.address { return .address }
        if let site, bySite[site, default: 0] + count > shares.site { return .site }
        return nil
    }

    /// Subtracts an amount that was taken.
    package mutating func giveBack(_ count: Int, _ address: Address?, _ site: Site?) {
        if let address { byAddress[address] = byAddress[address].flatMap { $0 > count ? $0 - count : nil } }
        if let site { bySite[site] = bySite[site].flatMap { $0 > count ? $0 - count : nil } }
    }
}
