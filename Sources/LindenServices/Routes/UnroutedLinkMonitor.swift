import Linden
import LindenKernel
import Logging

/// A counter of links that were created or updated although no route of their app matches their path. Logs at most once a minute, so that a
/// caller with many such links does not fill the log.
package final class UnroutedLinkMonitor: Sendable {
    private let logger: Logger
    private let links: PeriodicCounts<App.ID>

    package init(clock: WallClock, logger: Logger) {
        self.logger = logger
        links = PeriodicCounts(clock: clock)
    }

    /// Counts one link. Costs one look-up under a lock.
    package func record(_ app: App.ID) {
        links.add(app)
    }

    /// Logs the counts since the last report: the first at once, later ones at most once a minute. Must be called about once a second.
    package func report() {
        for (app, count) in links.take().sorted(by: { $0.value > $1.value }).prefix(Self.most) {
            logger.warning("Links match no route of their app.", metadata: ["app": "\(app)", "links": "\(count)"])
        }
    }

    /// The maximum number of apps per report.
    private static let most = 10
}
