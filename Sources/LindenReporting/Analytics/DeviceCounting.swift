import Linden

/// The counts of one part of a day's keys while the rows are read, see ``DeviceCounter``. Used by one reader at a time, which is why it has no
/// lock.
final class DeviceCounting: @unchecked Sendable {
    let day: Int64
    let part: UInt64
    let parts: DeviceCounter.Parts
    private(set) var counts: [DeviceCount] = []
    private var places: [DeviceCount.Key: Int] = [:]
    /// Hashes of combinations of device and key. Among 10⁷, a collision occurs about once in 10⁵ days.
    private var seen: Set<UInt64> = []
    var values: CountedValues

    init(day: Int64, part: UInt64, of parts: DeviceCounter.Parts) {
        self.day = day
        self.part = part
        self.parts = parts
        values = CountedValues(day: day)
    }

    func add(_ device: UInt64, to key: DeviceCount.Key) {
        let place = places[key] ?? counts.count
        if place == counts.count {
            places[key] = place
            counts.append(DeviceCount(key: key))
        }
        guard seen.insert(device &+ UInt64(place) &* 0x9E37_79B9_7F4A_7C15).inserted else { return }
        counts[place].devices += 1
        counts[place].sketch.insert(device)
    }

    /// Forgets the devices of the part that was read.
    func forgetDevices() { seen = [] }
}
