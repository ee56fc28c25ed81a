import CoreMetrics
import Synchronization

/// The metrics of one server, written in Prometheus' text format.
///
/// A factory of swift-metrics: series are made once and kept by the code that updates them, without a lock. The values that something else
/// knows already are asked for only when metrics are read, see ``collect(_:)``. Each metric is defined before it is used: its buckets and
/// its description are not part of swift-metrics.
package final class PrometheusRegistry: MetricsFactory {
    /// Returns the values of series at the time of the call.
    package typealias Collector = @Sendable () async -> [MetricSample]

    private struct Series {
        let labels: [(String, String)]
        let cell: any MetricCell
    }

    private struct State {
        var series: [String: [Series]] = [:]
        var collectors: [Collector] = []
    }

    package static let contentType = ExpositionText.contentType

    private let definitions: [String: MetricDefinition]
    private let state = Mutex(State())

    package init(_ definitions: [MetricDefinition]) {
        self.definitions = Dictionary(definitions.map { ($0.name, $0) }) { _, last in last }
    }

    /// Adds a source of values that are asked for when metrics are read. Series of a name without a definition are left out.
    package func collect(_ collector: @escaping Collector) {
        state.withLock { $0.collectors.append(collector) }
    }

    /// Returns all metrics with a value, in the order of their names.
    package func text() async -> String {
        let (series, collectors) = state.withLock { ($0.series, $0.collectors) }
        var samples: [String: [MetricSample]] = [:]
        for collector in collectors {
            for sample in await collector() { samples[sample.name, default: []].append(sample) }
        }
        var text = ExpositionText()
        for definition in definitions.values.sorted(by: { $0.name < $1.name }) {
            let (kept, collected) = (series[definition.name] ?? [], samples[definition.name] ?? [])
            guard !kept.isEmpty || !collected.isEmpty else { continue }
            text.begin(definition)
            for series in kept { series.cell.write(definition.name, series.labels, to: &text) }
            for sample in collected { text.add(definition.name, sample.labels, sample.value) }
        }
        return text.text
    }

    // MARK: Series

    /// Returns the series with these labels, and makes it if there is none.
    private func cell<Cell: MetricCell>(_ label: String, _ labels: [(String, String)], _ make: (MetricDefinition) -> Cell) -> Cell {
        guard let definition = definitions[label] else { preconditionFailure("The metric \(label) is not defined.") }
        return state.withLock { state in
            let same = state.series[label]?.first { $0.labels.elementsEqual(labels, by: ==) }
            if let cell = same?.cell as? Cell { return cell }
            let cell = make(definition)
            state.series[label, default: []].append(Series(labels: labels, cell: cell))
            return cell
        }
    }

    package func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        cell(label, dimensions) { _ in CounterCell() }
    }

    package func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        cell(label, dimensions) { _ in GaugeCell() }
    }

    package func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        aggregate ? histogram(label, dimensions, scale: 1) : cell(label, dimensions) { _ in GaugeCell() }
    }

    package func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions, scale: 1e9)
    }

    private func histogram(_ label: String, _ labels: [(String, String)], scale: Double) -> HistogramCell {
        cell(label, labels) { definition in
            guard case .histogram(let bounds) = definition.kind else { preconditionFailure("\(label) is not a histogram.") }
            return HistogramCell(bounds: bounds, scale: scale)
        }
    }

    // Series stay until the registry ends: a counter that vanished and came back would look like a restart.
    package func destroyCounter(_ handler: any CounterHandler) {}
    package func destroyMeter(_ handler: any MeterHandler) {}
    package func destroyRecorder(_ handler: any RecorderHandler) {}
    package func destroyTimer(_ handler: any TimerHandler) {}
}

/// The value of a series.
protocol MetricCell: AnyObject, Sendable {
    /// Writes the value as the samples of a series.
    func write(_ name: String, _ labels: [(String, String)], to text: inout ExpositionText)
}
