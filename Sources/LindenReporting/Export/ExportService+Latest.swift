import Linden
import LindenKernel

extension ExportService {
    /// The most rows of a log that are looked at, of all apps, at once.
    private static let mostRowsAtOnce = 8000
    /// The most rows of a log that are looked at in turn. A busy app has enough among the newest.
    private static let mostRows = 64_000
    /// The seconds before now in which rows are looked for.
    private static let span: Int64 = 86_400

    /// Returns the newest rows of some topics of an app within a day, newest first. There may be older ones that were not looked at, if few of
    /// the newest rows of a log are of this app and wanted.
    ///
    /// The logs are read backwards in parts of growing length, each of them once. The first part has as many rows as are wanted, which is
    /// enough where there is one app.
    ///
    /// - Parameter isWanted: whether a row is returned; others do not count.
    package func latest(
        _ topics: [ExportTopic], in scope: Scope, limit: Int, where isWanted: (ExportTail.Entry) -> Bool = { _ in true }
    ) async throws -> [ExportTail.Entry] {
        let end = try await tail(topics, in: scope, since: nil)
        let oldest = min(IDGenerator.first(at: clock.now() - .seconds(Self.span)) - 1, end.position)
        var latest: [ExportTail.Entry] = []
        var (last, rows, looked) = (end.position, limit, 0)
        while latest.count < limit, last > oldest, looked < Self.mostRows {
            let first = try await storage.read { [rows, last] reader in
                try topics.map { try reader.exportPageStart(of: $0, after: oldest, through: last, limit: rows) }.max() ?? oldest
            }
            var tail = end.continuing(after: first)
            var found: [ExportTail.Entry] = []
            while !tail.isCaughtUp { found += (try await tail.next(before: last + 1)).filter(isWanted).suffix(limit) }
            latest += found.reversed()
            (last, looked, rows) = (first, looked + rows, min(2 * rows, Self.mostRowsAtOnce))
        }
        return Array(latest.prefix(limit))
    }
}
