import CoreMetrics

/// What is measured of connections, and of requests that end before they are read.
package struct ConnectionMetrics: Sendable {
    /// Connections that were admitted, and are open.
    let open: Meter
    /// Connections beyond a limit, which were closed at once or get health checks answered only.
    let refused: Counter
    /// Requests that are not valid HTTP, or whose headers are too large.
    let invalidRequests: Counter

    package init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        open = Meter(label: "linden_connections_open", factory: factory)
        refused = Counter(label: "linden_connections_refused_total", factory: factory)
        invalidRequests = Counter(label: "linden_http_invalid_requests_total", factory: factory)
    }
}
