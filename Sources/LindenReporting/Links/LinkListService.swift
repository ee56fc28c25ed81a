import Linden
import LindenKernel

/// A page of a list of links.
package struct LinkPage: Sendable {
    /// The links, without their data.
    package let links: [Link]
    /// The last link that was read, after which the next page begins; nil for the last page.
    package let next: Link.ID?
}

/// Lists the links of an app.
package struct LinkListService: Sendable {
    private let storage: any ReportingStorage
    private let turns: AnswerTurns<App.ID>

    package init(storage: any ReportingStorage, turns: AnswerTurns<App.ID>) {
        self.storage = storage
        self.turns = turns
    }

    /// Returns a page of an app's links. Fails with `invalid` for a filter whose text is too long.
    ///
    /// At most ``mostLinksRead`` links are read for a page. If few of them pass the filter, the page is short or even empty, and the next
    /// one continues where it ended.
    ///
    /// - Parameter last: ``LinkPage/next`` of the page before; nil for the first page.
    package func list(
        _ filter: LinkFilter = LinkFilter(), of scope: Scope, order: LinkOrder = .newest, after last: Link.ID? = nil, limit: Int
    ) async throws -> LinkPage {
        try filter.check()
        if last == nil, let link = try await link(namedBy: filter, of: scope) { return LinkPage(links: [link], next: nil) }
        return try await turns.read(upTo: limit, of: scope.app) {
            try await read(filter, of: scope, order: order, after: last, limit: limit)
        }
    }

    private func read(
        _ filter: LinkFilter, of scope: Scope, order: LinkOrder, after last: Link.ID?, limit: Int
    ) async throws -> LinkPage {
        var found: [Link] = []
        var (last, rest) = (last, filter.ids)
        for _ in 0..<Self.mostPortions {
            if let last { rest = order.ids(in: rest, after: last.rawValue) }
            // One more than the page holds, which is the next page's.
            let (ids, wanted) = (rest, limit + 1 - found.count)
            let portion = try await storage.analyze(scope) { reader -> (links: [Link], end: Int64?) in
                let end = try reader.lastLink(of: scope, in: ids, order: order, among: Self.portion)
                let read = end.map { order.ids(in: ids, through: $0) } ?? ids
                return (try reader.links(of: scope, in: read, matching: filter, order: order, limit: wanted), end)
            }
            found += portion.links
            guard found.count <= limit else {
                found.removeLast()
                return LinkPage(links: found, next: found.last?.id)
            }
            guard let end = portion.end else { return LinkPage(links: found, next: nil) }
            last = Link.ID(rawValue: end)
        }
        return LinkPage(links: found, next: last)
    }

    /// Returns the link whose id is the text of a filter, if it meets the other conditions.
    private func link(namedBy filter: LinkFilter, of scope: Scope) async throws -> Link? {
        guard let id = filter.textAsID?.rawValue else { return nil }
        var others = filter
        others.text = nil
        let ids = filter.ids.clamped(to: id..<id + 1)
        return try await storage.read { [others] reader in
            try reader.links(of: scope, in: ids, matching: others, order: .newest, limit: 1).first
        }
    }

    /// Returns a page of the folders that have links which are not deleted, in the order of their names, and the name after which the next
    /// page begins; nil at the end.
    package func folders(of scope: Scope, after name: String = "", limit: Int) async throws -> (names: [String], next: String?) {
        let found = try await storage.read { try $0.folders(of: scope, after: name, limit: limit + 1) }
        let page = Array(found.prefix(limit))
        return (page, found.count > limit ? page.last : nil)
    }

    /// Returns the links of a page with their data. One that was removed meanwhile is left out.
    package func withData(_ links: [Link]) async throws -> [Link] {
        guard let scope = links.first?.scope else { return [] }
        let ids = links.map(\.id)
        return try await storage.analyze(scope) { reader in try ids.compactMap { try reader.link($0) } }
    }

    /// The most links that are read for a page.
    package static let mostLinksRead = portion * mostPortions
    /// The number of links that one transaction reads, so that none takes long.
    private static let portion = 10_000
    private static let mostPortions = 10
}

extension LinkFilter {
    /// The ids of links that were created in the filter's time.
    fileprivate var ids: Range<Int64> {
        created.map { IDGenerator.first(at: $0.lowerBound)..<IDGenerator.first(at: $0.upperBound) } ?? 0..<Int64.max
    }
}

extension LinkOrder {
    /// Returns the ids of a range that come after an id in this order.
    fileprivate func ids(in range: Range<Int64>, after id: Int64) -> Range<Int64> {
        switch self {
        case .newest: range.clamped(to: 0..<max(id, 0))
        case .oldest: range.clamped(to: min(max(id, 0), Int64.max - 1) + 1..<Int64.max)
        }
    }

    /// Returns the ids of a range up to one of them in this order.
    fileprivate func ids(in range: Range<Int64>, through id: Int64) -> Range<Int64> {
        switch self {
        case .newest: range.clamped(to: id..<Int64.max)
        case .oldest: range.clamped(to: 0..<id + 1)
        }
    }
}
