import LindenKernel
import LindenServices

/// The turns of clients' requests as a value: of each site a few at a time have theirs, and its addresses follow one another.
struct SiteTurns<Waiting: Sendable>: Sendable {
    private struct Site {
        /// The requests that have their turn.
        var running = 0
        var waitingCount = 0
        var waiting = FairQueue<Waiting>()
    }

    enum Beginning {
        case now, later
        /// Too many wait.
        case refused
    }

    private let atOnce: Int
    private let mostWaiting: (ofSite: Int, ofAll: Int)
    /// The sites of requests that have their turn.
    private var sites: [UInt64: Site] = [:]
    /// The requests of all sites that wait.
    private var waitingCount = 0

    /// - Parameters:
    ///   - atOnce: the number of a site's requests that have their turn at the same time.
    ///   - mostWaiting: the most requests of a site, and of all sites, that wait. Sites with a free turn do not wait.
    init(atOnce: Int, mostWaiting: (ofSite: Int, ofAll: Int)) {
        self.atOnce = atOnce
        self.mostWaiting = mostWaiting
    }

    /// Begins a turn, or queues what is to be resumed in a later one.
    mutating func begin(_ client: ClientNetwork, orQueue waiting: Waiting) -> Beginning {
        var site = sites.removeValue(forKey: client.site) ?? Site()
        defer { sites[client.site] = site }
        guard site.running >= atOnce else {
            site.running += 1
            return .now
        }
        guard site.waitingCount < mostWaiting.ofSite, waitingCount < mostWaiting.ofAll else { return .refused }
        site.waitingCount += 1
        waitingCount += 1
        site.waiting.append(waiting, of: client.address)
        return .later
    }

    /// Ends a turn of a site. Returns what has its turn now.
    mutating func end(_ key: UInt64) -> Waiting? {
        guard var site = sites.removeValue(forKey: key) else { return nil }
        let next = site.waiting.next()
        if next == nil {
            site.running -= 1
        } else {
            site.waitingCount -= 1
            waitingCount -= 1
        }
        if site.running > 0 { sites[key] = site }
        return next
    }
}
