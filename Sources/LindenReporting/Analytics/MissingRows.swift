import Linden
import LindenKernel

/// The rows that are missing from figures counted from rows.
package struct MissingRows: Sendable, Equatable {
    /// The time since which rows are kept; set only if older rows of the range were deleted for their age.
    package var keptSince: Timestamp?
    /// The number of rows erased on request in the hours of the range. They match the topics; whether they would match the other conditions
    /// is unknown.
    package var erased: Int64 = 0

    package init(keptSince: Timestamp? = nil, erased: Int64 = 0) {
        self.keptSince = keptSince
        self.erased = erased
    }

    /// Reads which rows a log lacks in a time range.
    ///
    /// - Parameter topics: the topics whose erased rows are counted; nil for all topics of the log.
    init(
        of log: ActivityLog, in time: Range<Timestamp>, topics: [Topic]?, _ scope: Scope, from reader: any RollupReader
    ) throws {
        let pruned = try reader.prunedThrough(log)
        self.init(
            keptSince: pruned >= IDGenerator.first(at: time.lowerBound)
                ? IDGenerator.time(of: pruned) + .milliseconds(1) : nil)
        let hours = time.lowerBound.hour..<max(time.lowerBound.hour, (time.upperBound - .milliseconds(1)).hour + 1)
        for topic in topics ?? Topic.allCases where topic.log == log {
            erased += try reader.rollupChanges(of: scope, topic, hours: hours).values.reduce(0) { $0 + $1.removed }
        }
    }

    mutating func add(_ other: MissingRows) {
        keptSince = [keptSince, other.keptSince].compactMap { $0 }.max()
        erased += other.erased
    }
}
