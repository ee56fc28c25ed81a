import CoreMetrics
import Synchronization

/// A number that is set, or grows and falls.
final class GaugeCell: MeterHandler, RecorderHandler, MetricCell {
    /// The bits of a floating-point number.
    private let bits = Atomic<UInt64>(0)

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func increment(by amount: Double) {
        var (old, isDone) = (bits.load(ordering: .relaxed), false)
        while !isDone {
            let new = (Double(bitPattern: old) + amount).bitPattern
            (isDone, old) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
        }
    }

    func decrement(by amount: Double) { increment(by: -amount) }

    func record(_ value: Int64) { set(value) }

    func record(_ value: Double) { set(value) }

    func write(_ name: String, _ labels: [(String, String)], to text: inout ExpositionText) {
        text.add(name, labels, Double(bitPattern: bits.load(ordering: .relaxed)))
    }
}
