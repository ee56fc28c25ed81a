import Linden
import LindenKernel
import LinkRouting

/// The visits of one link in a time range, and how far the log was scanned for them.
package struct ClickScan: Sendable {
    package var clicks: [Click] = []
    /// The number of rows scanned, of all links.
    package var rows = 0
    package var until: Timestamp
    /// Whether the whole range was scanned.
    package var isWhole = false
}

extension ClickService {
    private static var page: Int { 10_000 }

    /// Scans the log page by page, oldest first, until the range ends or `limit` visits are found.
    ///
    /// - Parameter visitor: nil for visits of people and robots.
    package func clicks(
        of link: Link.ID, by visitor: ClickVisitor? = nil, in range: ExportRange, limit: Int
    ) async throws -> ClickScan {
        var scan = ClickScan(until: range.from)
        var position = IDGenerator.first(at: range.from) - 1
        let last = IDGenerator.first(at: min(range.to, clock.now() + .milliseconds(1))) - 1
        while position < last, scan.clicks.count < limit {
            let (page, wanted) = (
                try await storage.read { [position] reader in
                    try reader.clicks(of: link, after: position, through: last, limit: Self.page)
                }, limit - scan.clicks.count
            )
            let found = page.clicks.filter { visitor == nil || ($0.visitor.robot == nil) == (visitor == .person) }
            scan.clicks += found.prefix(wanted)
            scan.rows += page.rows
            position = found.count > wanted ? scan.clicks.last?.id.rawValue ?? page.through : page.through
        }
        scan.isWhole = position >= last
        // The next millisecond: everything up to this one was listed.
        scan.until = IDGenerator.time(of: position + 1)
        return scan
    }
}
