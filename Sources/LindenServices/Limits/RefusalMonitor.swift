import LindenKernel
import Logging
import Synchronization

/// The reason why a request was rejected before it was processed.
package enum Refusal: Hashable, Sendable {
    /// The owner of the empty bucket.
    package enum Owner: String, Hashable, Sendable {
        case keyAndAddress = "address and key"
        case keyAndSite = "network and key"
        case address
        case key
        case secret
        case token = "access token"

        var meaning: String {
            switch self {
            case .keyAndAddress: "from one address with one key"
            case .keyAndSite: "from one network with one key"
            case .address: "from one address"
            case .key: "with one key"
            case .secret: "with one secret"
            case .token: "with one access token"
            }
        }
    }

    case rate(LimitedCall, Owner)
    /// A long query of a visit that was not recorded, see ``RateLimiter/recordedQuery(_:of:from:)``.
    case longQuery(Owner)
    /// See ``DiskMonitor``.
    case diskSpace

    /// The name of the setting that defines the limit.
    package var setting: String {
        switch self {
        case .rate(let call, .secret), .rate(let call, .token): "limits.\(call.name).secret"
        case .rate(let call, .key), .rate(let call, .keyAndSite): "limits.\(call.name).key"
        case .rate(let call, .keyAndAddress), .rate(let call, .address): "limits.\(call.name).address"
        case .longQuery: "limits.store.key"
        case .diskSpace: "limits.min_free_disk"
        }
    }
}

/// A counter of requests that limits rejected, which logs them at most once a minute for each reason.
package final class RefusalMonitor: Sendable {
    private struct Count {
        var all = 0
        var unlogged = 0
        var loggedAt: Timestamp?
    }

    private static let interval: Duration = .seconds(60)

    private let clock: WallClock
    private let logger: Logger
    private let counts = Mutex<[Refusal: Count]>([:])

    package init(clock: WallClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
    }

    /// Counts one rejection. Costs one look-up under a lock.
    package func record(_ refusal: Refusal) {
        counts.withLock { counts in
            counts[refusal, default: Count()].all += 1
            counts[refusal, default: Count()].unlogged += 1
        }
    }

    /// The number of rejections since the start, by reason.
    package var totals: [Refusal: Int] { counts.withLock { $0.mapValues(\.all) } }

    /// Logs the rejections since the last report: the first at once, later ones at most once a minute for each reason. Must be called about
    /// once a second.
    package func report() {
        let now = clock.now()
        let due = counts.withLock { counts in
            counts.reduce(into: [(Refusal, Int)]()) { due, entry in
                let (refusal, count) = entry
                guard count.unlogged > 0, count.loggedAt.map({ now >= $0 + Self.interval }) ?? true else { return }
                due.append((refusal, count.unlogged))
                counts[refusal] = Count(all: count.all, loggedAt: now)
            }
        }
        for (refusal, count) in due { log(refusal, count) }
    }

    private func log(_ refusal: Refusal, _ count: Int) {
        let metadata: Logger.Metadata = ["setting": "\(refusal.setting)", "refused": "\(count)"]
        switch refusal {
        case .rate(.adToken, let owner):
            logger.warning(
                "Apple was not asked for the ads of some sessions: a limit was reached.",
                metadata: metadata.merging(["by": "\(owner.rawValue)"]) { $1 })
        case .rate(_, let owner):
            logger.warning(
                "Requests were refused: a limit was reached.", metadata: metadata.merging(["by": "\(owner.rawValue)"]) { $1 })
        case .longQuery(let owner):
            logger.warning(
                "Long queries of visits were not recorded: a limit was reached.",
                metadata: metadata.merging(["by": "\(owner.rawValue)"]) { $1 })
        case .diskSpace: logger.error("Writes were refused: the disk is almost full.", metadata: metadata)
        }
    }
}
