extension MetricsText {
    /// Returns what was counted since an earlier reading of the same server: counters and histograms as differences, gauges as they are now.
    /// Of a server that started again in between, all that it has counted.
    package func since(_ earlier: MetricsText) -> MetricsText {
        var difference = self
        for (name, series) in samples where Self.isCounted(name) {
            difference.samples[name] = series.map { sample in
                let before = earlier.samples[name]?.first { $0.labels == sample.labels }?.value ?? 0
                return (sample.labels, before > sample.value ? sample.value : sample.value - before)
            }
        }
        return difference
    }

    private static func isCounted(_ name: String) -> Bool {
        ["_total", "_bucket", "_count", "_sum"].contains { name.hasSuffix($0) }
    }
}
