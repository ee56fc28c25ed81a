import HTTPTypes
import Hummingbird
import Linden
import LindenAPI
import LindenKernel
import LindenReporting
import LindenServices

/// An app's activity as server-sent events (WHATWG HTML, "Server-sent events").
struct EventStreamRoutes {
    let apps: AppService
    let exports: ExportService
    let tokens: TokenService
    let streams: EventStreams

    func stream(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = QueryParameters(request.rawQuery)
        let scope = try await request.authorizedScope(tokens, apps, to: .readRows) {
            try query.check(["app", "topic", "since", "limit"], of: "the stream")
            return query.value("app")
        }
        // A reconnecting client sends the header, which is later than `since`.
        let since = request.header(.lastEventID) ?? query.value("since")
        let limit = try query.number("limit")
        guard limit.map({ $0 > 0 }) ?? true else { throw Failure.invalid("limit must be above 0.") }
        let topics = try ExportTopic.topics(named: query.value("topic"))
        let tail = try await exports.tail(topics, in: scope, since: try since.map(ExportCheckpoint.init))
        let (tokens, token) = (tokens, request.accessToken)
        let listener = EventListener(
            tail: tail, topics: Set((topics.isEmpty ? ExportTopic.current : topics).map(\.rawValue)), limit: limit ?? .max,
            app: scope.app, text: { $0.text },
            isAllowed: {
                do {
                    _ = try await tokens.authorize(token, to: .readRows, app: scope.app)
                    return true
                } catch let failure as Failure where failure.code == .unauthorized || failure.code == .forbidden {
                    return false
                }
            })
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: try await streams.body(of: listener, in: scope, logger: context.logger))
    }
}

extension HTTPField.Name {
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
