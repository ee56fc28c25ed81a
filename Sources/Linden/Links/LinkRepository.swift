import LindenKernel

package protocol LinkReader {
    /// Returns a link, including a deleted one, see ``Link/deletedAt``.
    func link(_ id: Link.ID) throws -> Link?
    /// Returns a link without parsing its data, including a deleted one.
    func storedLink(_ id: Link.ID) throws -> StoredLink?
    /// Returns the link at an address without parsing its data, including a deleted one.
    func storedLink(at address: LinkAddress) throws -> StoredLink?
    /// Returns the status of a link, including a deleted one; nil if the link is unknown.
    func linkStatus(_ id: Link.ID) throws -> LinkStatus?
    /// Returns the link at an address, including a deleted one, whose alias stays reserved.
    func link(at address: LinkAddress) throws -> Link?
    /// Returns whether a link with `max_clicks` has clicks left.
    func hasClicksLeft(_ id: Link.ID) throws -> Bool
    /// Returns the newest of the app's own links (see ``Link/isAuthenticated``) about an object on a host, and when it was last changed.
    /// Links that are deleted, expired or consumed or have no clicks left are skipped.
    func openLink(about object: UniversalObject.ID, on host: String, before: Link.ID?) throws -> (link: Link, updatedAt: Timestamp)?
}

package protocol LinkRepository: LinkReader {
    /// Inserts a link. False if the address is taken.
    ///
    /// - Parameter data: the link's data as compact JSON, made before the transaction, because it may be large.
    func insert(_ link: Link, data: String) throws -> Bool
    /// Updates the mutable fields of a link.
    ///
    /// - Parameter data: the link's data as compact JSON, made before the transaction, because it may be large.
    func update(_ link: Link, data: String, at time: Timestamp) throws
    /// Takes one click of a link. Returns false if none is left.
    func takeClick(of id: Link.ID) throws -> Bool
    /// Consumes a one-time link. Returns false if it is consumed already.
    func useUp(_ id: Link.ID, at time: Timestamp) throws -> Bool
    func deleteLink(_ id: Link.ID, at time: Timestamp) throws
    /// Releases a deleted link's path for new links.
    func freeAddress(of id: Link.ID) throws
}

extension LinkRepository {
    /// Inserts a link, whose data is serialised within the transaction. False if the address is taken.
    package func insert(_ link: Link) throws -> Bool {
        try insert(link, data: JSON.object(link.data).text)
    }
}
