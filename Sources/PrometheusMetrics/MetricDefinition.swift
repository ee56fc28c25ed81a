/// The name, type and meaning of a metric, which may have several series that differ in their labels.
package struct MetricDefinition: Sendable {
    package enum Kind: Sendable, Equatable {
        case counter
        case gauge
        /// A distribution over buckets by their upper bounds in ascending order, in the metric's unit; a last bucket takes all above.
        case histogram([Double])

        var name: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        }
    }

    package let name: String
    package let kind: Kind
    /// One sentence for the operator.
    package let help: String

    package init(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }
}

/// The value of a series that is determined only when metrics are read.
package struct MetricSample: Sendable {
    package let name: String
    package let labels: [(String, String)]
    package let value: Double

    package init(_ name: String, _ value: some BinaryInteger, _ labels: [(String, String)] = []) {
        self.init(name, Double(value), labels)
    }

    package init(_ name: String, _ value: Double, _ labels: [(String, String)] = []) {
        self.name = name
        self.labels = labels
        self.value = value
    }
}
