/// Metrics that were read from a server, in the format that ``PrometheusRegistry`` writes.
package struct MetricsText: Sendable {
    var samples: [String: [(labels: [String: String], value: Double)]] = [:]

    /// Reads a text. Lines that are no samples are left out.
    package init(_ text: String) {
        for line in text.split(separator: "\n") where line.first != "#" {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else { continue }
            let series = line[..<space]
            guard let brace = series.firstIndex(of: "{"), series.last == "}" else {
                samples[String(series), default: []].append(([:], value))
                continue
            }
            let labels = Self.labels(series[series.index(after: brace)...].dropLast())
            samples[String(series[..<brace]), default: []].append((labels, value))
        }
    }

    /// Returns the value of the series with some labels; nil if there is none.
    package func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        matching(name, labels).first?.value
    }

    /// Returns the sum of all series with some labels; 0 if there is none.
    package func sum(_ name: String, _ labels: [String: String] = [:]) -> Double {
        matching(name, labels).reduce(0) { $0 + $1.value }
    }

    /// Returns the value of a label of the first series of a metric; nil if there is none.
    package func label(_ label: String, of name: String) -> String? { samples[name]?.first?.labels[label] }

    /// Returns the upper bound of the bucket in which a part of the observations of all series with some labels ends; nil without
    /// observations, and beyond the last bound.
    ///
    /// - Parameter part: between 0 and 1, such as 0.99.
    package func quantile(_ part: Double, of name: String, _ labels: [String: String] = [:]) -> Double? {
        var counts: [Double: Double] = [:]
        for sample in matching(name + "_bucket", labels) {
            if let bound = sample.labels["le"].flatMap({ Double($0) }) { counts[bound, default: 0] += sample.value }
        }
        let buckets = counts.sorted { $0.key < $1.key }
        guard let count = buckets.last?.value, count > 0 else { return nil }
        return buckets.first { $0.value >= part * count && $0.key.isFinite }?.key
    }

    private func matching(_ name: String, _ labels: [String: String]) -> [(labels: [String: String], value: Double)] {
        (samples[name] ?? []).filter { sample in labels.allSatisfy { sample.labels[$0] == $1 } }
    }

    private static func labels(_ text: Substring) -> [String: String] {
        var (labels, rest): ([String: String], Substring) = ([:], text)
        while let equals = rest.firstIndex(of: "=") {
            let name = String(rest[..<equals])
            var value = ""
            var index = rest.index(equals, offsetBy: 2, limitedBy: rest.endIndex) ?? rest.endIndex
            while index < rest.endIndex, rest[index] != "\"" {
                if rest[index] == "\\" {
                    index = rest.index(after: index)
                    guard index < rest.endIndex else { break }
                    value.append(rest[index] == "n" ? "\n" : rest[index])
                } else {
                    value.append(rest[index])
                }
                index = rest.index(after: index)
            }
            labels[name] = value
            rest = rest[index...].drop { $0 == "\"" || $0 == "," }
        }
        return labels
    }
}
