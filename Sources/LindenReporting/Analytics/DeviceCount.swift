import Linden
import LindenKernel

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
            self.name = name.map(Rollup.counted)
            self.value = Rollup.counted(value)
        }

        /// Compares the bytes of texts, as the database does.
        package static func == (one: Key, other: Key) -> Bool {
            one.day == other.day && one.dimension == other.dimension && one.topic == other.topic && one.scope == other.scope
                && one.value.hasSameBytes(as: other.value) && one.name.hasSameBytes(as: other.name)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(scope)
            hasher.combine(topic)
            hasher.combine(dimension)
            hasher.combine(day)
            name.hashBytes(into: &hasher)
            value.hashBytes(into: &hasher)
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
    /// - Parameter named: whether to visit the counts of each event name, or those of all names together.
    func visitDeviceCounts(
        of scope: Scope, _ topic: Topic, by dimension: Dimension?, named: Bool, days: Range<Int64>,
        _ body: (DeviceCount) throws -> Void
    ) throws
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
