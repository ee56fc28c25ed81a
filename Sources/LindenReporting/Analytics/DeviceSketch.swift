/// A mergeable estimate of the number of distinct devices, which keeps the smallest of their hashes. Sketches of several days merge into
/// one in which each device counts once (Bar-Yossef et al., "Counting distinct elements in a data stream").
///
/// Exact for fewer than ``size`` devices; beyond that, the standard error is 3 %.
package struct DeviceSketch: Sendable, Equatable {
    package static let size = 1024

    /// Sorted in ascending order up to `sortedCount`, unsorted behind it.
    private var hashes: [UInt64] = []
    private var sortedCount = 0

    package init() {}

    /// - Parameter bytes: the ``bytes`` of another sketch.
    package init(bytes: [UInt8]) {
        hashes = stride(from: 0, to: bytes.count / 8 * 8, by: 8).map { start in
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        sortedCount = hashes.count
    }

    /// - Parameter hash: the ``DeviceHash`` of the device's id.
    /// - Returns: by how many bytes the sketch grew; negative if it shrank.
    @discardableResult
    package mutating func insert(_ hash: UInt64) -> Int {
        if sortedCount == Self.size, hash >= hashes[Self.size - 1] { return 0 }
        let former = hashes.count
        hashes.append(hash)
        if hashes.count >= 2 * Self.size { self = sorted }
        return (hashes.count - former) * MemoryLayout<UInt64>.size
    }

    /// - Returns: as for ``insert(_:)``.
    @discardableResult
    package mutating func merge(_ other: DeviceSketch) -> Int {
        other.hashes.reduce(0) { $0 + insert($1) }
    }

    package var isExact: Bool { sorted.hashes.count < Self.size }

    package var estimate: Int64 {
        let hashes = sorted.hashes
        guard hashes.count == Self.size, let last = hashes.last else { return Int64(hashes.count) }
        return Int64((Double(Self.size - 1) / (Double(last) / 0x1p64)).rounded())
    }

    package var bytes: [UInt8] {
        sorted.hashes.flatMap { hash in (0..<8).map { UInt8(truncatingIfNeeded: hash >> (56 - 8 * $0)) } }
    }

    package static func == (left: DeviceSketch, right: DeviceSketch) -> Bool { left.sorted.hashes == right.sorted.hashes }

    private var sorted: DeviceSketch {
        guard sortedCount < hashes.count else { return self }
        var result = DeviceSketch()
        for hash in hashes.sorted() where result.hashes.last != hash {
            guard result.hashes.count < Self.size else { break }
            result.hashes.append(hash)
        }
        result.sortedCount = result.hashes.count
        return result
    }
}
