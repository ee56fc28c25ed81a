import CoreMetrics
import Testing

@testable import PrometheusMetrics

/// Metrics in the format that Prometheus reads.
@Suite struct PrometheusRegistryTests {
    private static let definitions = [
        MetricDefinition("calls_total", .counter, "Calls.\nOf all \"kinds\"."),
        MetricDefinition("open", .gauge, "Open connections."),
        MetricDefinition("seconds", .histogram([0.001, 0.5]), "Time."),
        MetricDefinition("size", .histogram([1, 8]), "Size."),
        MetricDefinition("unused_total", .counter, "Never counted."),
    ]

    @Test func everyKindOfMetricIsWritten() async {
        let registry = PrometheusRegistry(Self.definitions)
        Counter(label: "calls_total", dimensions: [("kind", "a\"b\\c\n")], factory: registry).increment(by: 3)
        let open = Meter(label: "open", factory: registry)
        open.increment()
        open.increment(by: 1.5)
        open.decrement()
        let time = Timer(label: "seconds", dimensions: [("kind", "visit")], factory: registry)
        for nanoseconds in [1_000_000, 1_000_001, 3_000_000_000] as [Int64] { time.recordNanoseconds(nanoseconds) }
        Recorder(label: "size", aggregate: true, factory: registry).record(8)

        let text = await registry.text()
        #expect(
            text == """
                # HELP calls_total Calls.\\nOf all "kinds".
                # TYPE calls_total counter
                calls_total{kind="a\\"b\\\\c\\n"} 3
                # HELP open Open connections.
                # TYPE open gauge
                open 1.5
                # HELP seconds Time.
                # TYPE seconds histogram
                seconds_bucket{kind="visit",le="0.001"} 1
                seconds_bucket{kind="visit",le="0.5"} 2
                seconds_bucket{kind="visit",le="+Inf"} 3
                seconds_sum{kind="visit"} 3.002000001
                seconds_count{kind="visit"} 3
                # HELP size Size.
                # TYPE size histogram
                size_bucket{le="1"} 0
                size_bucket{le="8"} 1
                size_bucket{le="+Inf"} 1
                size_sum 8
                size_count 1

                """)
    }

    @Test func aSeriesThatIsMadeAgainGoesOn() async {
        let registry = PrometheusRegistry(Self.definitions)
        for _ in 1...2 { Counter(label: "calls_total", dimensions: [("kind", "a")], factory: registry).increment() }
        Counter(label: "calls_total", dimensions: [("kind", "b")], factory: registry).increment()

        let text = MetricsText(await registry.text())
        #expect(text.value("calls_total", ["kind": "a"]) == 2)
        #expect(text.sum("calls_total") == 3)
    }

    @Test func collectedValuesAreThoseOfTheMomentOfReading() async {
        let registry = PrometheusRegistry(Self.definitions)
        registry.collect { [MetricSample("open", 7), MetricSample("not_defined", 1)] }

        let text = await registry.text()
        #expect(text == "# HELP open Open connections.\n# TYPE open gauge\nopen 7\n")
    }

    @Test func whatIsWrittenCanBeReadBack() async {
        let registry = PrometheusRegistry(Self.definitions)
        Counter(label: "calls_total", dimensions: [("kind", "a\"b\\c\n"), ("by", "x")], factory: registry).increment()
        let time = Timer(label: "seconds", factory: registry)
        for _ in 1...99 { time.recordNanoseconds(1000) }
        time.recordNanoseconds(400_000_000)

        let text = MetricsText(await registry.text())
        #expect(text.value("calls_total", ["kind": "a\"b\\c\n", "by": "x"]) == 1)
        #expect(text.label("kind", of: "calls_total") == "a\"b\\c\n")
        #expect(text.quantile(0.99, of: "seconds") == 0.001 && text.quantile(0.999, of: "seconds") == 0.5)
        #expect(text.quantile(0.5, of: "size") == nil && text.value("unused_total") == nil)
    }

    @Test func everyMetricOfLindenHasADescriptionAndAnOwnName() {
        let all = [MetricDefinition].all
        #expect(Set(all.map(\.name)).count == all.count)
        for metric in all {
            #expect(metric.help.hasSuffix("."), "\(metric.name)")
            #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
        }
    }
}
