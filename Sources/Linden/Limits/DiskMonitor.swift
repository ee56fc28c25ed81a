import Foundation
import Logging
import Synchronization

/// Watches the free space of the database's disk, and refuses calls that add to it below a floor.
///
/// What is left below the floor is a reserve: visits go on and are recorded in it, since a redirect must not wait for the operator and a
/// click takes a few hundred bytes, without a long query. It is also what pruning and erasing need to free space.
package final class DiskMonitor: Sendable {
    private let minimum: Int64
    private let freeBytes: @Sendable () -> Int64?
    private let refusals: RefusalMonitor
    private let logger: Logger
    private let isLow = Atomic(false)

    /// - Parameters:
    ///   - minimum: the floor in bytes; 0 for none.
    ///   - freeBytes: the free space; nil if it is unknown, which refuses nothing.
    package init(minimum: Int64, refusals: RefusalMonitor, logger: Logger, freeBytes: @escaping @Sendable () -> Int64?) {
        self.minimum = minimum
        self.refusals = refusals
        self.logger = logger
        self.freeBytes = freeBytes
        sample()
    }

    /// Looks at the disk. To be called about once a second.
    package func sample() {
        guard minimum > 0, let free = freeBytes() else { return }
        let isLow = free < minimum
        guard isLow != self.isLow.exchange(isLow, ordering: .relaxed) else { return }
        let metadata: Logger.Metadata = ["free_bytes": "\(free)", "limits.min_free_disk": "\(minimum)"]
        if isLow {
            logger.error("The disk is almost full: visits go on, other writes are refused.", metadata: metadata)
        } else {
            logger.notice("The disk has room again: writes are taken.", metadata: metadata)
        }
    }

    /// The query of a visit as it is recorded. Below the floor a long one is left out: visitors are redirected by it all the same, and the
    /// click keeps what attribution compares, but an install gets none of what was appended to its link.
    func recordedQuery(_ query: String?) -> String? {
        guard isLow.load(ordering: .relaxed), let query, query.utf8.count > RateLimiter.freeQueryBytes else { return query }
        return nil
    }

    /// Fails with `unavailable` below the floor.
    package func check() throws(Failure) {
        guard isLow.load(ordering: .relaxed) else { return }
        throw Failure(
            .unavailable,
            "The disk is almost full (below limits.min_free_disk); what would be stored is refused until there is room.",
            retryAfter: 60)
    }

    /// Same as ``check()``, for a call that writes: counts the refusal.
    package func checkWrite() throws(Failure) {
        do {
            try check()
        } catch {
            refusals.record(.diskSpace)
            throw error
        }
    }

    /// The bytes that this process may still write to the file system of a path; nil if that is unknown.
    package static func freeBytes(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
