import LinkRouting
import Logging
import Synchronization

/// Counts the URLs in addresses of links that lead to other sites and are ignored.
///
/// Counted in memory, and at most once a minute logged and added to the storage, where the doctor reads it.
package final class RefusedURLMonitor: Sendable {
    private struct Key: Hashable {
        let scope: Scope
        let host: String
    }

    private struct State {
        var visits: [Key: Int64] = [:]
        var reportedAt: Timestamp?
    }

    /// Hosts that are counted between two reports; what comes beyond counts as no host.
    private static let capacity = 1000
    private static let interval: Duration = .seconds(60)

    private let storage: any Storage
    private let clock: WallClock
    private let logger: Logger
    private let state = Mutex(State())

    package init(storage: any Storage, clock: WallClock, logger: Logger) {
        self.storage = storage
        self.clock = clock
        self.logger = logger
    }

    /// Counts one visit.
    func record(_ urls: [URLParts], in scope: Scope) {
        let hosts = Set(urls.map { (try? Domain.normalizedHost($0.host)) ?? "" })
        state.withLock { state in
            for host in hosts {
                let key = Key(scope: scope, host: host)
                let isKnown = state.visits[key] != nil
                let counted = isKnown || state.visits.count < Self.capacity ? key : Key(scope: scope, host: "")
                if !isKnown, state.visits.count >= 2 * Self.capacity { continue }
                state.visits[counted, default: 0] += 1
            }
        }
    }

    /// Logs and stores what was counted since the last report: at once the first time, later at most once a minute. To be called about once
    /// a second.
    package func report() async throws {
        let now = clock.now()
        let visits = state.withLock { state -> [Key: Int64] in
            guard !state.visits.isEmpty, state.reportedAt.map({ now >= $0 + Self.interval }) ?? true else { return [:] }
            defer { state = State(reportedAt: now) }
            return state.visits
        }
        guard !visits.isEmpty else { return }
        let urls = visits.map { RefusedURL(scope: $0.scope, host: $0.host, visits: $1, firstAt: now, lastAt: now) }
            .sorted { ($1.visits, $0.host) < ($0.visits, $1.host) }
        logger.warning(
            "URLs of other sites in the addresses of links were ignored. linden doctor app tells of each app which.",
            metadata: [
                "visits": "\(urls.reduce(0) { $0 + $1.visits })",
                "apps": "\(Set(urls.map { String($0.scope.app.rawValue) }).sorted().prefix(5).joined(separator: ", "))",
            ])
        try await storage.write { try $0.add(urls, keeping: RefusedURL.capacity, since: now - RefusedURL.memory) }
    }

    /// The hosts that this app's links were asked to lead to, most visits first.
    ///
    /// - Parameter reference: how the operator names that side of the app.
    package func findings(of scope: Scope, reference: String) async throws -> [Finding] {
        try await storage.read { try $0.refusedURLs(of: scope) }.map { $0.finding(reference) }
    }
}
