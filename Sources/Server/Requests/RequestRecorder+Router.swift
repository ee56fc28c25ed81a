import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import Traces

extension RequestRecorder {
    /// Records a request that is answered behind the visits, and what `respond` makes of it.
    ///
    /// With a request log, the id of its line goes into the messages about the request and into the answer: `X-Request-Id`.
    func recorded(
        _ request: Request, _ context: LindenContext, _ respond: (LindenContext) async throws -> Response
    ) async throws -> Response {
        let began = NIODeadline.now()
        let id = log == nil ? nil : loggedID(request.headers[.requestID], request.headers[.traceParent], from: context.peer)
        var context = context
        if let id { context.logger[metadataKey: "request_id"] = "\(id)" }
        guard let tracer, let trace = trace(request.headers[.traceParent], from: context.peer) else {
            return try await recorded(request, context, id, since: began, respond)
        }
        let start = Tracer.now()
        var status = 500
        defer {
            tracer.record(
                span(of: request, context, id, status: status, trace, from: start))
        }
        let response = try await TraceContext.$current.withValue(trace.context) {
            try await recorded(request, context, id, since: began, respond)
        }
        status = response.status.code
        return response
    }

    private func recorded(
        _ request: Request, _ context: LindenContext, _ id: LoggedRequestID?, since began: NIODeadline,
        _ respond: (LindenContext) async throws -> Response
    ) async throws -> Response {
        do {
            var response = try await respond(context)
            if let id { response.headers[.requestID] = id.description }
            record(request, context, id, status: response.status.code, bytes: response.body.contentLength, since: began)
            return response
        } catch {
            // The server answers 400 to a body that is not valid, and 500 to anything else.
            record(request, context, id, status: error is HTTPParserError ? 400 : 500, bytes: nil, since: began)
            throw error
        }
    }

    private func record(
        _ request: Request, _ context: LindenContext, _ id: LoggedRequestID?, status: Int, bytes: Int?, since began: NIODeadline
    ) {
        let nanoseconds = (NIODeadline.now() - began).nanoseconds
        let route = route(of: request, context)
        let kind = RequestKind(request.method, route)
        metrics.record(kind, status: status, nanoseconds: nanoseconds)
        guard let log, let id else { return }
        log.add(
            RequestLog.Entry(
                id: id, method: request.method.rawValue, kind: kind, route: route, status: status, bytes: bytes,
                nanoseconds: nanoseconds))
    }

    /// The pattern of a request's route. The route of all links also gets the paths of calls that do not exist, which have none.
    private func route(of request: Request, _ context: LindenContext) -> String? {
        let isUnknownCall = context.endpointPath == "/**" && Routes.isAPI(path: request.rawPath)
        return isUnknownCall ? nil : context.endpointPath
    }

    /// Like the log, a span has what was asked for only as the pattern of its route.
    private func span(
        of request: Request, _ context: LindenContext, _ id: LoggedRequestID?, status: Int,
        _ trace: (context: TraceContext, parent: String?), from start: UInt64
    ) -> Span {
        let route = route(of: request, context)
        let method = RequestLog.Entry.logged(method: request.method.rawValue)
        var span = Span(
            [method, route].compactMap { $0 }.joined(separator: " "), .server, context: trace.context, parent: trace.parent,
            from: start, to: Tracer.now())
        span.attributes = [
            ("http.request.method", .text(method)), ("http.response.status_code", .number(status)),
            ("linden.kind", .text(RequestKind(request.method, route).name)),
        ]
        if let route { span.attributes.append(("http.route", .text(route))) }
        if let id { span.attributes.append(("linden.request_id", .text(id.description))) }
        span.hasFailed = status >= 500
        return span
    }
}
