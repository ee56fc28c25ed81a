import Connections
import CoreMetrics

/// What the server measures while it answers. Its parts are made once, so that a request allocates nothing and takes no lock for them.
package struct ServerMetrics: Sendable {
    let connections: ConnectionMetrics
    let requests: RequestMetrics
    let clicks: ClickMetrics
    let sessions: SessionMetrics
    /// The open streams of events.
    let streams: Meter

    /// - Parameter factory: makes series of names that are defined; by default nothing is measured.
    package init(factory: any MetricsFactory = NOOPMetricsHandler.instance) {
        connections = ConnectionMetrics(factory: factory)
        requests = RequestMetrics(factory: factory)
        clicks = ClickMetrics(factory: factory)
        sessions = SessionMetrics(factory: factory)
        streams = Meter(label: "linden_event_streams_open", factory: factory)
    }
}
