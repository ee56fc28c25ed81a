import NIOCore
import NIOHTTP1

/// Records answered requests, in the metrics and in the request log if there is one.
struct RequestRecorder: Sendable {
    let metrics: RequestMetrics
    let log: RequestLog?

    init(_ options: ServerOptions) {
        metrics = options.metrics.requests
        log = options.requestLog
    }

    /// Records a visit that was answered ahead of the router.
    func record(_ visit: VisitRequest, status: Int, bytes: Int, since began: NIODeadline) {
        let nanoseconds = (NIODeadline.now() - began).nanoseconds
        metrics.record(.visit, status: status, nanoseconds: nanoseconds)
        guard let log else { return }
        log.add(
            RequestLog.Entry(
                id: LoggedRequestID(visit.head.headers), method: "GET", kind: .visit, route: "/**", status: status, bytes: bytes,
                nanoseconds: nanoseconds))
    }
}
