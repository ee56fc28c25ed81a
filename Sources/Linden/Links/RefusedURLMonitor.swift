import LindenKernel
import LinkRouting
import Logging

/// Counts ignored URLs of other sites in visited links.
///
/// The counts are kept in memory; at most once a minute they are logged and added to the storage, where the doctor reads them.
package final class RefusedURLMonitor: Sendable {
    private struct Key: Hashable {
        let scope: Scope
        let host: String
    }

    private let storage: any Storage
    private let clock: WallClock
    private let logger: Logger
    private let visits: PeriodicCounts<Key>

    package init(storage: any Storage, clock: WallClock, logger: Logger) {
        self.storage = storage
        self.clock = clock
        self.logger = logger
        visits = PeriodicCounts(clock: clock)
    }

    /// The most URLs of a visit that are counted.
    private static let mostOfVisit = 4

    /// Counts one visit, by the hosts of its first URLs. Beyond the capacity of hosts, visits count for the empty host.
    func record(_ urls: [URLParts], in scope: Scope) {
        for host in Set(urls.prefix(Self.mostOfVisit).map({ (try? Domain.normalizedHost($0.host)) ?? "" })) {
            visits.add(Key(scope: scope, host: host), orElse: Key(scope: scope, host: ""))
        }
    }

    /// Logs and stores the counts since the last report: at once the first time, later at most once a minute. To be called about once a
    /// second.
    package func report() async throws {
        let (now, visits) = (clock.now(), visits.take())
        guard !visits.isEmpty else { return }
        let urls = visits.map { RefusedURL(scope: $0.scope, host: $0.host, visits: $1, firstAt: now, lastAt: now) }
            .sorted { ($1.visits, $0.host) < ($0.visits, $1.host) }
        logger.warning(
            "URLs of hosts that are not allowed were ignored in links' queries.",
            metadata: [
                "visits": "\(urls.reduce(0) { $0 + $1.visits })",
                "apps": "\(Set(urls.map { String($0.scope.app.rawValue) }).sorted().prefix(5).joined(separator: ", "))",
            ])
        try await storage.write { try $0.add(urls, keeping: RefusedURL.capacity, since: now - RefusedURL.memory) }
    }

    /// Returns findings about the ignored hosts of an app, most visits first.
    ///
    /// - Parameter reference: the operator's name of the app and mode.
    package func findings(of scope: Scope, reference: String) async throws -> [Finding] {
        try await storage.read { try $0.refusedURLs(of: scope) }.map { $0.finding(reference) }
    }
}
