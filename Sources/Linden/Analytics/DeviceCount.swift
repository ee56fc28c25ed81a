/// The number of distinct devices with records of one topic on one day, which is over.
package struct DeviceCount: Sendable, Equatable {
    package struct Key: Sendable, Hashable {
        package let scope: Scope
        package let topic: Topic
        /// Nil for the counts without a dimension.
        package let dimension: Dimension?
        /// The number of the day since 1970 in UTC.
        package let day: Int64
        /// The name of an event; nil for the counts of all names together.
        package let name: String?
        /// The value of the dimension; empty for none.
        package let value: String

        package init(scope: Scope, topic: Topic, dimension: Dimension?, day: Int64, name: String?, value: String) {
            self.scope = scope
            self.topic = topic
            self.dimension = dimension
            self.day = day
            self.name = name
            self.value = value
        }
    }

    package let key: Key
    /// The exact number of devices.
    package var devices: Int64
    package var sketch: DeviceSketch

    package init(key: Key, devices: Int64 = 0, sketch: DeviceSketch = DeviceSketch()) {
        self.key = key
        self.devices = devices
        self.sketch = sketch
    }
}

package protocol DeviceCountReader {
    /// - Parameter named: whether to return the counts of each event name, or those of all names together.
    func deviceCounts(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, named: Bool, days: Range<Int64>
    ) throws -> [DeviceCount]
    /// Returns the last id of a log that the device counts include.
    func devicesCountedThrough(_ log: ActivityLog) throws -> Int64
    /// Returns the id of the first row of a log that the device counts do not include; nil if there is none.
    func firstWithoutDeviceCount(in log: ActivityLog) throws -> Int64?
}

package protocol DeviceCountRepository: DeviceCountReader {
    func set(_ counts: [DeviceCount]) throws
    /// - Parameter id: the last id of the counted day.
    func setDevicesCounted(in log: ActivityLog, through id: Int64) throws
}

extension Reader {
    /// Counts the devices of a day from its rows, by each of some dimensions; a dimension of nil counts without one.
    ///
    /// - Parameter limit: how many pairs of device and key are held in memory at once. For a day that may have more, the rows are read
    ///   several times, each time for a part of the devices.
    package func deviceCounts(
        from log: ActivityLog, on day: Int64, by dimensions: [Dimension?], atOnce limit: Int64 = 2_000_000
    ) throws -> [DeviceCount] {
        var counts: [DeviceCount] = []
        var places: [DeviceCount.Key: Int] = [:]
        var values = CountedValues(day: day)
        let deviceHash = try self.deviceHash()
        let (first, end) = (IDGenerator.first(at: Timestamp(hour: day * 24)), IDGenerator.first(at: Timestamp(hour: day * 24 + 24)))
        // An event has two keys for each dimension: one with its name and one for all names.
        let pairs = try rowsCounted(in: log, on: day) &* (log == .events ? 2 : 1) &* Int64(dimensions.count)
        let parts = UInt64(min(max(0, pairs / limit), 999) + 1)
        for part in 0..<parts {
            // Hashes of pairs of device and key. Among 10⁷ pairs, a collision occurs about once in 10⁵ days.
            var seen: Set<UInt64> = []
            try activities(in: log, of: nil, from: first, before: end, named: nil) { activity in
                guard let hash = activity.actor.map({ deviceHash($0) }), hash % parts == part else { return }
                let name = log == .events ? try values.counted(activity.name, as: .name, activity.scope, self) : ""
                for dimension in dimensions {
                    let value =
                        try dimension.map { try values.counted(activity.value(of: $0), as: $0, activity.scope, self) } ?? ""
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
        for scope in try scopesWithRollups() {
            for topic in Topic.allCases where topic.log == log {
                for sum in try rollupSums(of: scope, topic, by: nil, .day, hours: day * 24..<day * 24 + 24) {
                    rows &+= sum.figures.count
                }
            }
        }
        return rows
    }
}

/// Maps values to those under which the rollups of a day count them: themselves, or ``Rollup/other``. Each scope and dimension is read
/// once.
struct CountedValues {
    private struct Place: Hashable {
        let scope: Scope
        let dimension: Dimension
    }

    let day: Int64
    private var values: [Place: Set<String>] = [:]

    init(day: Int64) {
        self.day = day
    }

    mutating func counted(_ value: String, as dimension: Dimension, _ scope: Scope, _ reader: any Reader) throws -> String {
        guard !value.isEmpty else { return "" }
        let place = Place(scope: scope, dimension: dimension)
        if values[place] == nil { values[place] = try reader.rollupValues(of: scope, by: dimension, day: day) }
        return values[place]?.contains(value) == true ? value : Rollup.other
    }
}
