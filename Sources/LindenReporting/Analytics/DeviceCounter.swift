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

    /// Counts the devices of a day from its rows, by each of some dimensions; a dimension of nil counts without one.
    ///
    /// - Parameter limit: how many pairs of device and key are held in memory at once. For a day that may have more, the rows are read
    ///   several times, each time for a part of the devices.
    package func counts(
        in log: ActivityLog, on day: Int64, by dimensions: [Dimension?], atOnce limit: Int64 = 2_000_000
    ) throws -> [DeviceCount] {
        var counts: [DeviceCount] = []
        var places: [DeviceCount.Key: Int] = [:]
        var values = CountedValues(day: day)
        let deviceHash = try reader.deviceHash()
        let (first, end) = (IDGenerator.first(at: Timestamp(hour: day * 24)), IDGenerator.first(at: Timestamp(hour: day * 24 + 24)))
        // An event has two keys for each dimension: one with its name and one for all names.
        let pairs = try rowsCounted(in: log, on: day) &* (log == .events ? 2 : 1) &* Int64(dimensions.count)
        let parts = UInt64(min(max(0, pairs / limit), 999) + 1)
        for part in 0..<parts {
            // Hashes of pairs of device and key. Among 10⁷ pairs, a collision occurs about once in 10⁵ days.
            var seen: Set<UInt64> = []
            try reader.activities(in: log, of: nil, from: first, before: end, named: nil) { activity in
                guard let hash = activity.actor.map({ deviceHash($0) }), hash % parts == part else { return }
                let name = log == .events ? try values.counted(activity.name, as: .name, activity.scope, reader) : ""
                for dimension in dimensions {
                    let value =
                        try dimension.map { try values.counted(activity.value(of: $0), as: $0, activity.scope, reader) } ?? ""
                    for name in log == .events ? [nil, name] : [nil] {
                        let key = DeviceCount.Key(
                            scope: activity.scope, topic: activity.topic, dimension: dimension, day: day, name: name, value: value)
                        let place = places[key] ?? counts.count
                        if place == counts.count {
                            places[key] = place
                            counts.append(DeviceCount(key: key))
                        }
                        guard seen.insert(hash &+ UInt64(place) &* 0x9E37_79B9_7F4A_7C15).inserted else { continue }
                        counts[place].devices += 1
                        counts[place].sketch.insert(hash)
                    }
                }
            }
        }
        return counts
    }

    /// Returns the number of rows according to the rollups.
    private func rowsCounted(in log: ActivityLog, on day: Int64) throws -> Int64 {
        var rows: Int64 = 0
        for scope in try reader.scopesWithRollups() {
            for topic in Topic.allCases where topic.log == log {
                for sum in try reader.rollupSums(of: scope, topic, by: nil, .day, hours: day * 24..<day * 24 + 24) {
                    rows &+= sum.figures.count
                }
            }
        }
        return rows
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

/// Maps values to those under which the rollups of a day count them: themselves, or ``Rollup/other``. Each scope and dimension is read
/// once.
package struct CountedValues {
    private struct Place: Hashable {
        let scope: Scope
        let dimension: Dimension
    }

    let day: Int64
    private var values: [Place: Set<String>] = [:]

    package init(day: Int64) {
        self.day = day
    }

    package mutating func counted(_ value: String, as dimension: Dimension, _ scope: Scope, _ reader: any RollupReader) throws
        -> String
    {
        guard !value.isEmpty else { return "" }
        let place = Place(scope: scope, dimension: dimension)
        if values[place] == nil { values[place] = try reader.rollupValues(of: scope, by: dimension, day: day) }
        return values[place]?.contains(value) == true ? value : Rollup.other
    }
}
