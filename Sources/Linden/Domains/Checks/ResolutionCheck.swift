/// A host's name must lead to a server, for phones anywhere.
package enum ResolutionCheck {
    /// - Parameters:
    ///   - addresses: all that the name leads to.
    ///   - privateAddresses: those of them that are of no use to the rest of the world.
    package static func finding(host: String, addresses: [String], privateAddresses: [String]) -> Finding {
        guard !addresses.isEmpty else {
            return Finding("dns", .error, "\(host) leads to no address. Add an A or AAAA record for the proxy in front of Linden.")
        }
        guard privateAddresses.isEmpty else {
            return Finding(
                "dns", privateAddresses.count < addresses.count ? .warning : .error,
                "\(host) leads to \(privateAddresses.joined(separator: ", ")), which nobody outside your network can reach: not "
                    + "phones, and not Apple, which fetches the file for them.")
        }
        return Finding("dns", .ok, "\(host) leads to \(addresses.joined(separator: ", ")).")
    }
}
