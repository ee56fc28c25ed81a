import Linden
import LindenKernel

extension ExportService {
    /// The distances from now, in seconds, from which the log is read until there are enough rows.
    private static let distances: [Int64] = [1, 10, 100, 1000, 10_000, 86_400]
    /// The most pages that are read from one distance. A busy log has enough rows nearer.
    private static let mostPages = 32

    /// Returns the newest rows of some topics of an app within a day, newest first.
    ///
    /// The logs are read in the order of time, from growing distances before now, so that of a busy log little is read.
    ///
    /// - Parameter isWanted: whether a row is returned; others do not count.
    package func latest(
        _ topics: [ExportTopic], in scope: Scope, limit: Int, where isWanted: (ExportTail.Entry) -> Bool = { _ in true }
    ) async throws -> [ExportTail.Entry] {
        let end = try await tail(topics, in: scope, since: nil)
        let (settled, now) = (end.position + 1, clock.now())
        var latest: [ExportTail.Entry] = []
        for distance in Self.distances where latest.count < limit {
            let first = IDGenerator.first(at: now - .seconds(distance)) - 1
            var tail = end.continuing(after: min(max(0, first), end.position))
            var found: [ExportTail.Entry] = []
            for _ in 0..<Self.mostPages where !tail.isCaughtUp {
                found = Array((found + (try await tail.next(before: settled)).filter(isWanted)).suffix(limit))
            }
            guard tail.isCaughtUp else { break }
            latest = found
        }
        return latest.reversed()
    }
}
