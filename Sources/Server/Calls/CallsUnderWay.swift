import Synchronization

/// The number of small calls of each site that are under way.
///
/// Tasks of one priority run in the order in which they become ready, so one call waits behind all parts of hundreds. A site with few calls has its
/// tasks run at a higher priority, which has threads of its own: a client that sends many at once does not delay one that sends few.
final class CallsUnderWay: Sendable {
    private let counts = Mutex<[UInt64: Int]>([:])

    /// The most calls of a site that has few.
    private static let few = 4

    /// Counts a call of a site.
    ///
    /// - Returns: whether the site has few calls under way, this one included.
    func begin(of site: UInt64) -> Bool {
        counts.withLock { counts in
            counts[site, default: 0] += 1
            return counts[site, default: 0] <= Self.few
        }
    }

    func end(of site: UInt64) {
        counts.withLock { counts in
            guard let count = counts[site] else { return }
            counts[site] = count > 1 ? count - 1 : nil
        }
    }
}
