import Linden
import LindenKernel

/// A consistent view of the data, as far as the counting of devices needs it.
package protocol DeviceCountingReader: DeviceCountReader, RollupReader, ActivityReader, InstallationReader {}

/// Counts the devices of a day from the rows of a log.
package struct DeviceCounter {
    private let reader: any DeviceCountingReader

    package init(reader: any DeviceCountingReader) {
        self.reader = reader
    }

    /// How much is held in memory at once. A day that has more is counted in parts, for each of which its rows are read again.
    package struct Limit: Sendable {
        /// The number of ``DeviceCount``s, each with some hundred bytes of texts and a sketch of up to 16 KiB.
        package let counts: Int64
        /// The number of combinations of device and count, which have 8 bytes each.
        package let devices: Int64

        package init(counts: Int64 = 4000, devices: Int64 = 2_000_000) {
            self.counts = counts
            self.devices = devices
        }
    }

    /// The parts in which a day is counted.
    package struct Parts: Sendable {
        /// The number of parts into which the counts are divided, by hashes of their keys.
        package let counts: UInt64
        /// The number of parts into which the devices are divided while one part of the counts is made.
        let devices: UInt64
    }

    /// Returns the parts in which a day is to be counted according to its rollups.
    package func parts(of log: ActivityLog, on day: Int64, by dimensions: [Dimension?], limit: Limit = Limit()) throws -> Parts {
        var (rows, keys) = (Int64(0), Int64(0))
        for scope in try reader.scopesWithRollups() {
            for topic in Topic.allCases where topic.log == log {
                let hours = day * 24..<day * 24 + 24
                try reader.visitRollupSums(of: scope, topic, by: nil, named: false, .day, hours: hours) {
                    rows &+= $0.figures.count
                }
                for dimension in dimensions { keys &+= try reader.rollupCount(of: scope, topic, by: dimension, day: day) }
            }
        }
        // An event belongs to two counts of each dimension: that of its name and that of all names.
        let countsOfRow: Int64 = log == .events ? 2 : 1
        let parts = min(max(0, keys &* countsOfRow / limit.counts), 999) + 1
        // At least the devices of one count, which is in one part, are held at once.
        let devices = max(rows &* countsOfRow &* Int64(dimensions.count) / parts, rows &* countsOfRow) / limit.devices
        return Parts(counts: UInt64(parts), devices: UInt64(min(max(0, devices), 999) + 1))
    }

    /// Counts the devices of a day from its rows, by each of some dimensions; a dimension of nil counts without one.
    ///
    /// - Parameter part: which of the ``Parts/counts``, from 0. Each count is whole and is in one part.
    package func counts(
        in log: ActivityLog, on day: Int64, by dimensions: [Dimension?], part: UInt64, of parts: Parts
    ) throws -> [DeviceCount] {
        let counting = DeviceCounting(day: day, part: part, of: parts)
        for devicePart in 0..<parts.devices {
            for hour in 0..<24 { try add(to: counting, in: log, by: dimensions, hour: Int64(hour), devicePart) }
            counting.forgetDevices()
        }
        return counting.counts
    }

    /// Adds the rows of an hour of the day, as far as they are of a part of the devices. A day may have millions of rows, so each hour can be
    /// read in a transaction of its own.
    func add(
        to counting: DeviceCounting, in log: ActivityLog, by dimensions: [Dimension?], hour: Int64, _ devicePart: UInt64
    ) throws {
        let deviceHash = try reader.deviceHash()
        let first = counting.day * 24 + hour
        try reader.activities(
            in: log, of: nil, from: IDGenerator.first(at: Timestamp(hour: first)),
            before: IDGenerator.first(at: Timestamp(hour: first + 1)), named: nil
        ) { activity in
            guard let hash = activity.actor.map({ deviceHash($0) }), hash % counting.parts.devices == devicePart else { return }
            for dimension in dimensions {
                for key in try keys(of: activity, in: log, by: dimension, &counting.values)
                where UInt64(truncatingIfNeeded: key.hashValue) % counting.parts.counts == counting.part {
                    counting.add(hash, to: key)
                }
            }
        }
    }

    /// Returns the keys of the counts to which a record belongs: for events, that of all names and that of its name.
    private func keys(
        of activity: AnalyticsRecord, in log: ActivityLog, by dimension: Dimension?, _ values: inout CountedValues
    ) throws -> [DeviceCount.Key] {
        let isEvent = log == .events
        let rollup = try values.counted(
            Rollup.Key(
                scope: activity.scope, topic: activity.topic, dimension: dimension, unit: .day, hour: values.day * 24,
                name: isEvent ? activity.name : "", value: dimension.map(activity.value) ?? ""),
            reader)
        return (isEvent ? [nil, rollup.name] : [nil]).map { name in
            DeviceCount.Key(
                scope: rollup.scope, topic: rollup.topic, dimension: dimension, day: values.day, name: name, value: rollup.value)
        }
    }

    /// Returns the first day that is over and whose devices are not counted yet, in the first log that has one.
    func firstUncountedDay(before watermark: Timestamp) throws -> (ActivityLog, Int64)? {
        for log in ActivityLog.allCases {
            guard let first = try reader.firstWithoutDeviceCount(in: log) else { continue }
            let day = IDGenerator.time(of: first).day
            if Timestamp(hour: day * 24 + 24) <= watermark { return (log, day) }
        }
        return nil
    }
}
