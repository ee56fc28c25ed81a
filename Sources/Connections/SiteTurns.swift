import DequeModule
import LindenKernel
import LindenServices

/// The turns of clients' requests as a value: a few of each site run at a time, and the addresses of a site take turns. Where the requests of
/// all sites together are limited, too, the sites take turns.
struct SiteTurns<Waiting: Sendable>: Sendable {
    private struct Site {
        /// The requests that have their turn.
        var running = 0
        var waitingCount = 0
        var waiting = FairQueue<Waiting>()
        /// Whether it is in ``SiteTurns/ready``.
        var isReady = false
    }

    enum Beginning {
        case now, later
        /// Later, in place of a request of the site that has most waiting, which is refused: too many wait.
        case instead(of: Waiting)
        /// Too many wait.
        case refused
    }

    private let atOnce: (ofSite: Int, ofAll: Int)
    private let mostWaiting: (ofSite: Int, ofAll: Int)
    /// The sites of requests that have their turn or wait.
    private var sites: [UInt64: Site] = [:]
    /// The sites that have a free turn and a request that waits, the next one first.
    private var ready = Deque<UInt64>()
    /// The requests of all sites that have their turn.
    private var running = 0
    /// The requests of all sites that wait.
    private(set) var waitingCount = 0

    /// - Parameters:
    ///   - atOnce: the number of requests of a site, and of all sites, that have their turn at the same time.
    ///   - mostWaiting: the most requests of a site, and of all sites, that wait.
    init(atOnce: (ofSite: Int, ofAll: Int), mostWaiting: (ofSite: Int, ofAll: Int)) {
        self.atOnce = atOnce
        self.mostWaiting = mostWaiting
    }

    /// Begins a turn unless the client must wait for one.
    mutating func beginNow(_ client: ClientNetwork) -> Bool {
        var site = sites.removeValue(forKey: client.site) ?? Site()
        defer { if site.running > 0 || site.waitingCount > 0 { sites[client.site] = site } }
        guard site.running < atOnce.ofSite, running < atOnce.ofAll else { return false }
        site.running += 1
        running += 1
        return true
    }

    /// Begins a turn, or queues what is to be resumed in a later one.
    mutating func begin(_ client: ClientNetwork, orQueue waiting: Waiting) -> Beginning {
        if beginNow(client) { return .now }
        var site = sites.removeValue(forKey: client.site) ?? Site()
        defer { if site.running > 0 || site.waitingCount > 0 { sites[client.site] = site } }
        guard site.waitingCount < mostWaiting.ofSite else { return .refused }
        var other: Waiting?
        if waitingCount >= mostWaiting.ofAll {
            guard let last = removeLast(ofSiteAbove: site.waitingCount + 1) else { return .refused }
            other = last
        }
        site.waitingCount += 1
        waitingCount += 1
        site.waiting.append(waiting, of: client.address)
        makeReady(&site, client.site)
        return other.map { .instead(of: $0) } ?? .later
    }

    /// Removes the last request that waits of the site that has most; nil if none has more than `count`. Takes time proportional to the number of
    /// sites.
    private mutating func removeLast(ofSiteAbove count: Int) -> Waiting? {
        guard let (key, largest) = sites.max(by: { $0.value.waitingCount < $1.value.waitingCount }), largest.waitingCount > count,
            let last = sites[key]?.waiting.removeLast(ofOneAbove: 0)
        else { return nil }
        sites[key]?.waitingCount -= 1
        waitingCount -= 1
        return last
    }

    /// Ends a turn of a site. Returns what has its turn now, and its site.
    mutating func end(_ key: UInt64) -> (waiting: Waiting, site: UInt64)? {
        guard var site = sites.removeValue(forKey: key) else { return nil }
        site.running -= 1
        running -= 1
        makeReady(&site, key)
        if site.running > 0 || site.waitingCount > 0 { sites[key] = site }
        return beginNext()
    }

    private mutating func beginNext() -> (Waiting, UInt64)? {
        guard let key = ready.popFirst(), var site = sites.removeValue(forKey: key) else { return nil }
        defer { sites[key] = site }
        site.isReady = false
        guard let next = site.waiting.next() else { return nil }
        site.waitingCount -= 1
        waitingCount -= 1
        site.running += 1
        running += 1
        makeReady(&site, key)
        return (next, key)
    }

    private mutating func makeReady(_ site: inout Site, _ key: UInt64) {
        guard !site.isReady, site.running < atOnce.ofSite, site.waitingCount > 0 else { return }
        site.isReady = true
        ready.append(key)
    }
}
