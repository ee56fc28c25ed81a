import Linden
import LindenKernel
import LindenReporting
import LindenServices

/// A file of the links that pass a filter, read page by page, so that its memory does not grow with it.
package struct LinkFile: ByteSource {
    private static let linksPerPage = 50

    private let lists: LinkListService
    private let links: LinkService
    private let filter: LinkFilter
    private let order: LinkOrder
    private let app: AppContext
    private var cursor: Link.ID?
    private var hasBegun = false
    private var hasEnded = false

    /// Fails with `invalid` for a filter whose text is too long.
    package init(_ services: Services, _ filter: LinkFilter, order: LinkOrder = .newest, of app: AppContext) throws {
        self.init(lists: services.linkLists, links: services.links, filter, order: order, of: app)
        try filter.check()
    }

    package init(lists: LinkListService, links: LinkService, _ filter: LinkFilter, order: LinkOrder, of app: AppContext) {
        self.lists = lists
        self.links = links
        self.filter = filter
        self.order = order
        self.app = app
    }

    package mutating func next() async throws -> [UInt8]? {
        guard !hasEnded else { return nil }
        let page = try await lists.list(filter, of: app.scope, order: order, after: cursor, limit: Self.linksPerPage)
        (cursor, hasEnded) = (page.next, page.next == nil)
        var output = hasBegun ? [] : LinkTable.header
        hasBegun = true
        // An app with a domain of its own has links on the host of the base URL only from before.
        let host = app.domain == nil ? "" : links.baseURL.host
        for link in try await lists.withData(page.links) {
            output += LinkTable.line(link, url: links.url(of: link), sharedHost: host)
        }
        return output
    }
}
