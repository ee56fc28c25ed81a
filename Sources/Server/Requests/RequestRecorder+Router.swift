import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

extension RequestRecorder {
    /// Records a request that is answered behind the visits, and what `respond` makes of it.
    ///
    /// With a request log, the id of its line goes into the messages about the request and into the answer: `X-Request-Id`.
    func recorded(
        _ request: Request, _ context: LindenContext, _ respond: (LindenContext) async throws -> Response
    ) async throws -> Response {
        let began = NIODeadline.now()
        let id = log == nil ? nil : LoggedRequestID(request.headers)
        var context = context
        if let id { context.logger[metadataKey: "request_id"] = "\(id)" }
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
        // The route of all links also gets the paths of calls that do not exist.
        let isUnknownCall = context.endpointPath == "/**" && Routes.isAPI(path: request.rawPath)
        let route = isUnknownCall ? nil : context.endpointPath
        let kind = RequestKind(request.method, route)
        metrics.record(kind, status: status, nanoseconds: nanoseconds)
        guard let log, let id else { return }
        log.add(
            RequestLog.Entry(
                id: id, method: request.method.rawValue, kind: kind, route: route, status: status, bytes: bytes,
                nanoseconds: nanoseconds))
    }
}
