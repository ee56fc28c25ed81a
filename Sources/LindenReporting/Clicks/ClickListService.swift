import Linden
import LindenKernel

/// A page of a list of clicks.
package struct ClickPage: Sendable {
    package let clicks: [Click]
    /// The row of the click log before which the next page begins; nil for the last page.
    package let next: Int64?
}

/// Lists the visits of an app's links.
package struct ClickListService: Sendable {
    private let storage: any ReportingStorage
    private let turns: AnswerTurns<App.ID>

    package init(storage: any ReportingStorage, turns: AnswerTurns<App.ID>) {
        self.storage = storage
        self.turns = turns
    }

    /// Returns a page of the visits of an app's links, newest first.
    ///
    /// The click log is ordered by time and has no other index. At most ``mostRowsRead`` of its rows, of all apps, are read for a page. If
    /// few of them are the app's, the page is short or even empty, and the next one continues where it ended.
    ///
    /// - Parameters:
    ///   - link: the only link whose visits are listed; nil for all links.
    ///   - visitor: nil for people and robots.
    ///   - range: nil for all times.
    ///   - last: ``ClickPage/next`` of the page before; nil for the first page.
    package func list(
        of scope: Scope, link: Link.ID? = nil, by visitor: ClickVisitor? = nil, in range: ExportRange? = nil,
        after last: Int64? = nil, limit: Int
    ) async throws -> ClickPage {
        try await turns.read(upTo: limit, of: scope.app) {
            try await read(of: scope, link: link, by: visitor, in: range, after: last, limit: limit)
        }
    }

    private func read(
        of scope: Scope, link: Link.ID?, by visitor: ClickVisitor?, in range: ExportRange?, after last: Int64?, limit: Int
    ) async throws -> ClickPage {
        var rest = range.map { IDGenerator.first(at: $0.from)..<IDGenerator.first(at: $0.to) } ?? 0..<Int64.max
        if let last { rest = rest.clamped(to: 0..<max(last, 0)) }
        var found: [Click] = []
        for _ in 0..<Self.mostPortions {
            // One more than the page holds, which is the next page's.
            let (ids, wanted) = (rest, limit + 1 - found.count)
            let portion = try await storage.analyze(scope) { reader in
                try reader.clicks(of: scope, link: link, by: visitor, in: ids, among: Self.portion, limit: wanted)
            }
            found += portion.clicks
            guard found.count <= limit else {
                found.removeLast()
                return ClickPage(clicks: found, next: found.last?.id.rawValue)
            }
            guard let first = portion.first else { return ClickPage(clicks: found, next: nil) }
            rest = rest.clamped(to: 0..<first)
        }
        return ClickPage(clicks: found, next: rest.upperBound)
    }

    /// The most rows of the log that are read for a page.
    package static let mostRowsRead = portion * mostPortions
    /// The number of rows that one transaction reads, so that none takes long.
    private static let portion = 10_000
    private static let mostPortions = 50
}
