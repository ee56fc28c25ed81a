package protocol LinkReader {
    /// Also finds deleted links: ``Link/deletedAt`` says so.
    func link(_ id: Link.ID) throws -> Link?
    /// Also finds deleted links, whose aliases stay reserved.
    func link(at address: LinkAddress) throws -> Link?
    /// Whether a link with `max_clicks` has not had them all.
    func hasClicksLeft(_ id: Link.ID) throws -> Bool
    /// The links of a scope that are not deleted, newest first.
    func links(of scope: Scope, before: Link.ID?, limit: Int) throws -> [Link]
    /// The newest of the app's own links (see ``Link/isAuthenticated``) about an object on a host that is neither deleted nor past its own time or clicks, and when it was last
    /// changed.
    func openLink(about object: UniversalObject.ID, on host: String, before: Link.ID?) throws -> (link: Link, updatedAt: Timestamp)?
}

package protocol LinkRepository: LinkReader {
    /// False if the address is taken.
    func insert(_ link: Link) throws -> Bool
    /// Writes what can change: labels, duration, data and the universal object.
    func update(_ link: Link, at time: Timestamp) throws
    /// Counts one more click of a person. False if the link has had them all.
    func takeClick(of id: Link.ID) throws -> Bool
    /// Uses a one-time link up. False if somebody was faster.
    func useUp(_ id: Link.ID, at time: Timestamp) throws -> Bool
    func deleteLink(_ id: Link.ID, at time: Timestamp) throws
    /// Gives a deleted link's path back for new links.
    func freeAddress(of id: Link.ID) throws
}
