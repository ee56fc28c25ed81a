import Linden

/// A check that a host's name resolves to publicly reachable addresses.
package enum ResolutionCheck {
    /// - Parameters:
    ///   - addresses: all addresses that the name resolves to.
    ///   - privateAddresses: those that are not publicly reachable.
    package static func finding(host: String, addresses: [String], privateAddresses: [String]) -> Finding {
        guard !addresses.isEmpty else {
            return Finding("dns", .error, "\(host) leads to no address. Add an A or AAAA record for the proxy in front of Linden.")
        }
        guard privateAddresses.isEmpty else {
            return Finding(
                "dns", privateAddresses.count < addresses.count ? .warning : .error,
                "\(host) leads to \(privateAddresses.joined(separator: ", ")), which cannot be reached from the internet: not "
                    + "by phones, and not by Apple, which fetches the association file for them.")
        }
        return Finding("dns", .ok, "\(host) leads to \(addresses.joined(separator: ", ")).")
    }
}
