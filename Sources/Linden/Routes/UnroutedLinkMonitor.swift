import Logging

/// Counts the links that were made or changed although no route of their app takes their path, and logs them at most once a minute: a
/// caller that makes many such links must not fill the log.
package final class UnroutedLinkMonitor: Sendable {
    private let logger: Logger
    private let links: PeriodicCounts<App.ID>

    package init(clock: WallClock, logger: Logger) {
        self.logger = logger
        links = PeriodicCounts(clock: clock)
    }

    /// Counts one link. Cheap: one look-up under a lock.
    package func record(_ app: App.ID) {
        links.add(app)
    }

    /// Logs what was counted since the last report: at once the first time, later at most once a minute. To be called about once a second.
    package func report() {
        for (app, count) in links.take().sorted(by: { $0.value > $1.value }).prefix(Self.most) {
            logger.warning("Links lead nowhere in their app.", metadata: ["app": "\(app)", "links": "\(count)"])
        }
    }

    /// Apps in one report.
    private static let most = 10
}
