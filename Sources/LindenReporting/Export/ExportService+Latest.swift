import Linden
import LindenKernel

extension ExportService {
    /// The most rows of a log that are looked at, of all apps, at once.
    private static let mostRowsAtOnce = 8000
    /// The most rows of a log that are looked at in turn. A busy app has enough among the newest.
    private static let mostRows = 16_000
    /// The time after which no further part is read, and the one that is being read is given up: rows may be large, and two apps are answered
    /// at a time.
    package static let latestPatience = Duration.milliseconds(700)
    /// The seconds before now in which rows are looked for.
    private static let span: Int64 = 86_400

    /// Returns the newest rows of some topics of an app within a day, newest first. There may be older ones that were not looked at, if few of
    /// the newest rows of a log are of this app and wanted, or rows are large.
    ///
    /// The logs are read backwards in parts of growing length, each of them once. The first part has as many rows as are wanted, which is
    /// enough where there is one app.
    ///
    /// - Parameters:
    ///   - patience: the time after which no part but the first is read.
    ///   - value: returns what is needed of a row; nil for one that is not wanted, and does not count. Rows may have a MB in memory, so each is
    ///     given up once this was called.
    package func latest<Value: Sendable>(
        _ topics: [ExportTopic], in scope: Scope, limit: Int, patience: Duration = latestPatience,
        _ value: @Sendable (ExportTail.Entry) -> Value?
    ) async throws -> [Value] {
        try await latestTurns.run(of: scope.app) { try await read(topics, in: scope, limit: limit, patience, value) }
    }

    private func read<Value>(
        _ topics: [ExportTopic], in scope: Scope, limit: Int, _ patience: Duration, _ value: (ExportTail.Entry) -> Value?
    ) async throws -> [Value] {
        let end = try await tail(topics, in: scope, since: nil)
        let oldest = min(IDGenerator.first(at: clock.now() - .seconds(Self.span)) - 1, end.position)
        var latest: [Value] = []
        var (last, rows, looked) = (end.position, limit, 0)
        let began = ContinuousClock.now
        while latest.count < limit, last > oldest, looked < Self.mostRows {
            let first = try await storage.read { [rows, last] reader in
                try reader.exportPageStart(of: topics, after: oldest, through: last, limit: rows)
            }
            var tail = end.continuing(after: first)
            var found: [Value] = []
            while !tail.isCaughtUp {
                // Rows of one part may be much larger than those of the parts before.
                if looked > 0, .now - began >= patience { return latest }
                found += (try await tail.next(before: last + 1)).compactMap(value)
                found.removeFirst(max(0, found.count - limit))
            }
            latest += found.reversed()
            (last, looked, rows) = (first, looked + rows, min(2 * rows, Self.mostRowsAtOnce))
        }
        return Array(latest.prefix(limit))
    }
}
