import LinkRouting

/// A host whose links belong to one scope.
package struct Domain: Sendable {
    /// Lower case, no port.
    package let host: String
    package let scope: Scope
    package var pages: DomainPages

    package init(host: String, scope: Scope, pages: DomainPages = DomainPages()) {
        self.host = host
        self.scope = scope
        self.pages = pages
    }

    /// A host name as it is stored. Fails with `invalid` for anything but a host name.
    package static func normalizedHost(_ text: String) throws -> String {
        let (host, port) = URLParts.hostAndPort(text)
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isHostName =
            port == nil && !text.contains(":") && host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            }
        guard isHostName else {
            throw Failure.invalid("A domain must be a host name such as go.example.com, without scheme, port or path.")
        }
        return host
    }
}

package protocol DomainReader {
    func domain(_ host: String) throws -> Domain?
    /// The hosts of a scope, the first added first.
    func domains(of scope: Scope) throws -> [String]
    func domains() throws -> [Domain]
    /// The further apps that may open a host's links, the first added first.
    func associatedApps(of host: String) throws -> [App.ID]
    /// All further apps of hosts; of each host, the first added first.
    func associations() throws -> [(host: String, app: App.ID)]
}

package protocol DomainRepository: DomainReader {
    /// False if the host is taken already.
    func insert(_ domain: Domain, at time: Timestamp) throws -> Bool
    /// False if it is so already.
    func associate(_ app: App.ID, with host: String, at time: Timestamp) throws -> Bool
    /// False if it is not so.
    func dissociate(_ app: App.ID, from host: String) throws -> Bool
    /// Replaces the pages of a domain.
    func update(_ domain: Domain) throws
    /// Deletes a domain and takes out its further apps. False if there is no such domain.
    func deleteDomain(_ host: String) throws -> Bool
    /// Deletes an app's domains as ``deleteDomain(_:)`` does, and takes the app out of other hosts.
    func deleteDomains(of app: App.ID) throws
}
