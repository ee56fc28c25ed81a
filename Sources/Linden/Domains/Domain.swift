import LindenKernel
import LinkRouting

/// A host whose links belong to one scope.
package struct Domain: Sendable {
    /// Lower case, no port.
    package let host: String
    package let scope: Scope
    package var pages: DomainPages

    /// The most domains of one side of an app: they are listed together, and cached.
    package static let mostOfScope = 1000

    package init(host: String, scope: Scope, pages: DomainPages = DomainPages()) {
        self.host = host
        self.scope = scope
        self.pages = pages
    }

    /// Returns a host name in its stored form. Fails with `invalid` for anything but a host name.
    package static func normalizedHost(_ text: String) throws -> String {
        let (host, port) = URLParts.hostAndPort(text)
        let hyphen = UInt8(ascii: "-")
        let isHostName =
            port == nil && !text.utf8.contains(UInt8(ascii: ":"))
            && host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), hyphen, UInt8(ascii: "_"):
                            true
                        default: false
                        }
                    }
            }
        guard isHostName else {
            throw Failure.invalid(
                "A domain must be a host name such as go.example.com, without scheme, port or path.", at: "domain")
        }
        return host
    }
}

package protocol DomainReader {
    func domain(_ host: String) throws -> Domain?
    /// Returns the hosts of a scope, in the order in which they were added.
    func domains(of scope: Scope) throws -> [String]
    /// Returns the hosts of all apps.
    func hosts() throws -> [String]
    /// Returns the next domains by host: of one side of an app or of both or, without an app, of all.
    func domains(of app: App.ID?, _ mode: Mode?, after host: String, limit: Int) throws -> [Domain]
    /// Returns the additional apps that may open a host's links, in the order in which they were added.
    func associatedApps(of host: String) throws -> [App.ID]
}

package protocol DomainRepository: DomainReader {
    /// Inserts a domain. Returns false if the host is already in use.
    func insert(_ domain: Domain, at time: Timestamp) throws -> Bool
    /// Adds an additional app to a host. Returns false if it was added before.
    func associate(_ app: App.ID, with host: String, at time: Timestamp) throws -> Bool
    /// Removes an additional app from a host. Returns false if it was not one.
    func dissociate(_ app: App.ID, from host: String) throws -> Bool
    /// Replaces the pages of a domain.
    func update(_ domain: Domain) throws
    /// Deletes a domain and its additional apps. Returns false if there is no such domain.
    func deleteDomain(_ host: String) throws -> Bool
    /// Deletes an app's domains as ``deleteDomain(_:)`` does, and removes the app from other hosts.
    func deleteDomains(of app: App.ID) throws
}
