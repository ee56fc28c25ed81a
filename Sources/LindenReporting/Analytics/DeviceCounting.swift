import Linden
import Synchronization

/// The counts of one part of a day's keys while the rows are read, see ``DeviceCounter``. Used by one reader at a time.
final class DeviceCounting: Sendable {
    struct State {
        fileprivate(set) var counts: [DeviceCount] = []
        fileprivate var places: [DeviceCount.Key: Int] = [:]
        /// Hashes of combinations of device and key. Among 10⁷, a collision occurs about once in 10⁵ days.
        fileprivate var seen: Set<UInt64> = []
        var values: CountedValues

        mutating func add(_ device: UInt64, to key: DeviceCount.Key) {
            let place = places[key] ?? counts.count
            if place == counts.count {
                places[key] = place
                counts.append(DeviceCount(key: key))
            }
            guard seen.insert(device &+ UInt64(place) &* 0x9E37_79B9_7F4A_7C15).inserted else { return }
            counts[place].devices += 1
            counts[place].sketch.insert(device)
        }
    }

    let day: Int64
    let part: UInt64
    let parts: DeviceCounter.Parts
    private let state: Mutex<State>

    init(day: Int64, part: UInt64, of parts: DeviceCounter.Parts) {
        self.day = day
        self.part = part
        self.parts = parts
        state = Mutex(State(values: CountedValues(day: day)))
    }

    var counts: [DeviceCount] { state.withLock(\.counts) }

    func update(_ body: (inout State) throws -> Void) rethrows { try state.withLock { try body(&$0) } }

    /// Forgets the devices of the part that was read.
    func forgetDevices() { state.withLock { $0.seen = [] } }
}
