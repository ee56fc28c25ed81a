import Linden
import LindenKernel
import Synchronization

/// A concurrency limiter of export downloads: of each app, of each address and site over all apps, and of all. A download occupies a background
/// thread while it reads, so that many of one app would delay those of others, and holds caches and pages until it is received.
final class DownloadLimiter: Sendable {
    private struct Running {
        var all = 0
        var byApp: [App.ID: Int] = [:]
        var byNetwork = NetworkUse<UInt64, UInt64>()
    }

    private let perApp: Int
    private let perNetwork: NetworkShares
    /// The most of all apps, beyond which an app has one, and the most then.
    private let overall: Int
    private let most: Int
    private let running = Mutex(Running())

    init(perApp: Int) {
        self.perApp = perApp
        perNetwork = NetworkShares(address: 2 * perApp)
        (overall, most) = (3 * perApp, 16 * perApp)
    }

    /// Counts a download until the hold ends. Fails with `rateLimited` beyond a limit.
    ///
    /// - Parameter client: see ``RateLimiter/network(of:)``.
    func begin(_ app: App.ID, for client: ClientNetwork?) throws(Failure) -> Hold {
        let refusal: String? = running.withLock { running in
            let ofApp = running.byApp[app, default: 0]
            guard ofApp < perApp else { return "\(perApp) exports of this app" }
            guard running.all < (ofApp == 0 ? most : overall) else { return "\(overall) exports" }
            guard running.byNetwork.take(1, client?.address, client?.site, within: perNetwork) else {
                return "\(perNetwork.address) exports from one address, \(perNetwork.site) from one network,"
            }
            running.byApp[app] = ofApp + 1
            running.all += 1
            return nil
        }
        if let refusal {
            throw Failure(
                .rateLimited,
                "At most \(refusal) may be downloaded at a time (limits.downloads). Please try again in \(Self.wait) s.",
                retryAfter: Self.wait)
        }
        return Hold { [self] in end(app, client) }
    }

    private func end(_ app: App.ID, _ client: ClientNetwork?) {
        running.withLock { running in
            running.all -= 1
            running.byApp[app] = running.byApp[app].flatMap { $0 > 1 ? $0 - 1 : nil }
            running.byNetwork.giveBack(1, client?.address, client?.site)
        }
    }

    private static let wait = 5
}
