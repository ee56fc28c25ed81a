import Foundation
import LindenKernel
import Logging
import Synchronization

/// A monitor of the free space on the database's disk, which rejects calls that add to the database below a minimum.
///
/// The space below the minimum is a reserve: visits continue and are recorded in it, since a redirect must not wait for the operator and a
/// click takes a few hundred bytes, without a long query. Pruning and erasure also need it to free space.
package final class DiskMonitor: Sendable {
    /// The default minimum, in bytes (`limits.min_free_disk`).
    package static let standardMinimum = 256 << 20

    private let minimum: Int64
    private let freeBytes: @Sendable () -> Int64?
    private let refusals: RefusalMonitor
    private let logger: Logger
    private let isLow = Atomic(false)

    /// - Parameters:
    ///   - minimum: the minimum free space in bytes; 0 for none.
    ///   - freeBytes: returns the free space; nil if it is unknown, in which case nothing is rejected.
    package init(minimum: Int64, refusals: RefusalMonitor, logger: Logger, freeBytes: @escaping @Sendable () -> Int64?) {
        self.minimum = minimum
        self.refusals = refusals
        self.logger = logger
        self.freeBytes = freeBytes
        sample()
    }

    /// Checks the free space. Must be called about once a second.
    package func sample() {
        guard minimum > 0, let free = freeBytes() else { return }
        let isLow = free < minimum
        guard isLow != self.isLow.exchange(isLow, ordering: .relaxed) else { return }
        let metadata: Logger.Metadata = ["free_bytes": "\(free)", "limits.min_free_disk": "\(minimum)"]
        if isLow {
            logger.error("The disk is almost full: visits are recorded, other writes are refused.", metadata: metadata)
        } else {
            logger.notice("The disk has space again: writes are accepted.", metadata: metadata)
        }
    }

    /// Returns the query of a visit as it is recorded. Below the minimum a long one is omitted: the redirect still uses it, and the click
    /// keeps the signals for attribution, but an install does not get the parameters that were appended to its link.
    package func recordedQuery(_ query: String?) -> String? {
        guard isLow.load(ordering: .relaxed), let query, query.utf8.count > RateLimiter.freeQueryBytes else { return query }
        return nil
    }

    /// Fails with `unavailable` below the minimum.
    package func check() throws(Failure) {
        guard isLow.load(ordering: .relaxed) else { return }
        throw Failure(
            .unavailable,
            "The disk is almost full (below limits.min_free_disk); what would be stored is refused until there is room.",
            retryAfter: 60)
    }

    /// Like ``check()``, for a call that writes: also counts the rejection.
    package func checkWrite() throws(Failure) {
        do {
            try check()
        } catch {
            refusals.record(.diskSpace)
            throw error
        }
    }

    /// Returns the bytes that this process may still write to the file system of a path; nil if unknown.
    package static func freeBytes(at path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }
}
