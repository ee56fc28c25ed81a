import CoreMetrics

/// The number of answered requests by kind and class of the status, and how long they took.
final class RequestMetrics: Sendable {
    /// The classes of statuses, from 1xx to 5xx.
    private static let classes = 5

    private let counts: [Counter]
    private let durations: [CoreMetrics.Timer]

    init(factory: any MetricsFactory) {
        counts = RequestKind.allCases.flatMap { kind in
            (1...Self.classes).map { digit in
                Counter(
                    label: "linden_http_requests_total", dimensions: kind.dimensions + [("status", "\(digit)xx")], factory: factory)
            }
        }
        durations = RequestKind.allCases.map { kind in
            Timer(label: "linden_http_request_duration_seconds", dimensions: kind.dimensions, factory: factory)
        }
    }

    /// Counts a request. Costs three atomic additions.
    func record(_ kind: RequestKind, status: Int, nanoseconds: Int64) {
        let digit = min(max(status / 100, 1), Self.classes)
        counts[kind.rawValue * Self.classes + digit - 1].increment()
        durations[kind.rawValue].recordNanoseconds(nanoseconds)
    }
}
