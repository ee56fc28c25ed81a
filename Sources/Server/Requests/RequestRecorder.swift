import LindenKernel
import NIOCore
import Traces

/// Records answered requests, in the metrics and in the request log if there is one.
struct RequestRecorder: Sendable {
    let metrics: RequestMetrics
    let log: RequestLog?
    /// Nil if no request is traced. Visits that are answered ahead of the router never are.
    let tracer: Tracer?
    private let isTrusted: @Sendable (ClientAddress) -> Bool

    init(_ options: ServerOptions) {
        metrics = options.metrics.requests
        log = options.requestLog
        tracer = options.tracer
        isTrusted = { options.isTrusted($0) }
    }

    /// Returns the place of a request in its trace; nil unless it is traced. A trusted proxy decides by its `traceparent`; of other requests,
    /// a share is traced.
    func trace(_ header: String?, from peer: ClientAddress?) -> (context: TraceContext, parent: String?)? {
        guard let tracer else { return nil }
        return tracer.begin(peer.map(isTrusted) == true ? header : nil)
    }

    /// Returns the id of a request, which a trusted proxy may choose. Another client could write what it likes to the log, or the ids of other
    /// requests.
    func loggedID(_ requestID: String?, _ traceParent: String?, from peer: ClientAddress?) -> LoggedRequestID {
        peer.map(isTrusted) == true ? LoggedRequestID(requestID: requestID, traceParent: traceParent) : LoggedRequestID()
    }

    /// Records a visit that was answered ahead of the router.
    func record(_ visit: VisitRequest, from peer: ClientAddress?, status: Int, bytes: Int, since began: NIODeadline) {
        let nanoseconds = (NIODeadline.now() - began).nanoseconds
        metrics.record(.visit, status: status, nanoseconds: nanoseconds)
        guard let log else { return }
        log.add(
            RequestLog.Entry(
                id: loggedID(visit.headers.requestID, visit.headers.traceParent, from: peer), method: "GET", kind: .visit,
                route: "/**",
                status: status, bytes: bytes, nanoseconds: nanoseconds))
    }
}
