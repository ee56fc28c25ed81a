import CoreMetrics
import Synchronization

/// A distribution over fixed buckets. An observation costs the search for its bucket and two atomic additions.
///
/// Values are counted as integers, durations in nanoseconds. A reader may see the parts of an observation at different moments, so the
/// number of observations is the sum of the buckets and always agrees with them.
final class HistogramCell: RecorderHandler, TimerHandler, MetricCell, @unchecked Sendable {
    /// The bounds as they are written, and the same in the unit of observations.
    private let bounds: [Double]
    private let limits: [Int64]
    /// The observations of each bucket, and of a last one for all above the bounds.
    private let counts: UnsafeMutablePointer<Atomic<Int64>>
    private let sum = Atomic<Int64>(0)
    /// Units of observations in one of the metric's.
    private let scale: Double

    /// - Parameter scale: the number of units of observations in one of the metric's: a billion for durations, whose metric is in seconds.
    init(bounds: [Double], scale: Double) {
        self.bounds = bounds
        self.scale = scale
        limits = bounds.map { Int64(($0 * scale).rounded()) }
        counts = .allocate(capacity: bounds.count + 1)
        for index in 0...bounds.count { (counts + index).initialize(to: Atomic(0)) }
    }

    deinit {
        counts.deinitialize(count: bounds.count + 1)
        counts.deallocate()
    }

    func record(_ value: Int64) {
        var index = 0
        while index < limits.count, value > limits[index] { index += 1 }
        counts[index].wrappingAdd(1, ordering: .relaxed)
        sum.wrappingAdd(value, ordering: .relaxed)
    }

    func record(_ value: Double) { record(Int64(value)) }

    func recordNanoseconds(_ duration: Int64) { record(duration) }

    func write(_ name: String, _ labels: [(String, String)], to text: inout ExpositionText) {
        var count: Int64 = 0
        for index in 0...bounds.count {
            count += counts[index].load(ordering: .relaxed)
            let bound = index < bounds.count ? ExpositionText.number(bounds[index]) : "+Inf"
            text.add(name + "_bucket", labels + [("le", bound)], Double(count))
        }
        text.add(name + "_sum", labels, Double(sum.load(ordering: .relaxed)) / scale)
        text.add(name + "_count", labels, Double(count))
    }
}
