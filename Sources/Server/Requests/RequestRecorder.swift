import LindenKernel
import NIOCore
import Traces

/// Records answered requests, in the metrics and in the request log if there is one.
struct RequestRecorder: Sendable {
    let metrics: RequestMetrics
    let log: RequestLog?
    /// Nil if no request is traced. Visits that are answered ahead of the router never are.
    let tracer: Tracer?
    private let mayDecide: @Sendable (ClientAddress) -> Bool

    init(_ options: ServerOptions) {
        metrics = options.metrics.requests
        log = options.requestLog
        tracer = options.tracer
        mayDecide = { options.isTrusted($0) }
    }

    /// Returns the place of a request in its trace; nil unless it is traced. A trusted proxy decides by its `traceparent`; of other requests,
    /// a share is traced.
    func trace(_ header: String?, from peer: ClientAddress?) -> (context: TraceContext, parent: String?)? {
        guard let tracer else { return nil }
        return tracer.begin(peer.map(mayDecide) == true ? header : nil)
    }

    /// Records a visit that was answered ahead of the router.
    func record(_ visit: VisitRequest, status: Int, bytes: Int, since began: NIODeadline) {
        let nanoseconds = (NIODeadline.now() - began).nanoseconds
        metrics.record(.visit, status: status, nanoseconds: nanoseconds)
        guard let log else { return }
        log.add(
            RequestLog.Entry(
                id: LoggedRequestID(requestID: visit.headers.requestID, traceParent: visit.headers.traceParent), method: "GET",
                kind: .visit, route: "/**", status: status, bytes: bytes,
                nanoseconds: nanoseconds))
    }
}
