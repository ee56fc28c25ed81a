import LindenKernel

extension LinkService {
    /// Returns a page of an app's links, newest first.
    ///
    /// At most ``mostLinksRead`` links are read for a page; if few of them pass the filter, the page is short, or even empty, and the next
    /// page goes on behind them.
    ///
    /// - Parameter before: only links older than this one.
    package func list(_ filter: LinkFilter, scope: Scope, before: Link.ID? = nil, limit: Int) async throws -> LinkPage {
        var links: [Link] = []
        var upper = min(before?.rawValue ?? .max, filter.created.map { IDGenerator.first(at: $0.upperBound) } ?? .max)
        let lower = filter.created.map { IDGenerator.first(at: $0.lowerBound) } ?? 0
        for _ in 0..<Self.mostPortions {
            guard lower < upper else { return LinkPage(links: links, next: nil) }
            let (ids, missing) = (lower..<upper, limit - links.count)
            let portion = try await storage.read { reader -> (links: [Link], first: Int64?) in
                let first = try reader.firstLink(of: scope, in: ids, among: Self.portion)
                return (try reader.links(of: scope, in: (first ?? lower)..<upper, matching: filter, limit: missing), first)
            }
            links += portion.links
            if links.count == limit { return LinkPage(links: links, next: links.last?.id) }
            guard let first = portion.first else { return LinkPage(links: links, next: nil) }
            upper = first
        }
        return LinkPage(links: links, next: Link.ID(rawValue: upper))
    }

    /// Returns the link with an id, including a deleted one; nil if there is none.
    package func link(id: String) async throws -> Link? {
        guard let number = Int64(id) else { return nil }
        return try await storage.read { try $0.link(Link.ID(rawValue: number)) }
    }

    /// The most links read for a page.
    package static let mostLinksRead = portion * mostPortions
    /// The links that one transaction reads, so that none takes long.
    private static let portion = 10_000
    private static let mostPortions = 10
}
