import HTTPTypes
import Hummingbird
import Linden
import NIOCore
import ServiceLifecycle

/// What happens in an app, told to whoever listens (server-sent events, WHATWG HTML).
struct EventStreamRoutes {
    let services: Services

    func stream(_ request: Request, _ context: LindenContext) async throws -> Response {
        guard let app = request.queryValue("app_id").flatMap({ Int64($0) }).map(App.ID.init(rawValue:)) else {
            throw Failure.invalid("app_id is missing in the query: the app's id.")
        }
        _ = try await services.tokens.authorize(request.accessToken, role: .analyst, app: app)
        let mode: Mode = request.queryValue("mode") == "test" ? .test : .live
        guard try await services.directory.app(scope: Scope(app: app, mode: mode)) != nil else {
            throw Failure.notFound("There is no app \(app).")
        }
        let tail = try await services.exports.tail(
            try ExportTopic.topics(named: request.queryValue("topic")), in: Scope(app: app, mode: mode),
            since: try request.header(.lastEventID).map(ExportCheckpoint.init))
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await Self.send(tail, to: &writer)
                try await writer.finish(nil)
            })
    }

    /// Until the listener leaves or the server stops. A line without meaning now and then shows whether he is still there.
    private static func send(_ tail: ExportTail, to writer: inout any ResponseBodyWriter) async throws {
        var tail = tail
        var silence = 0
        try await writer.write(ByteBuffer(string: ": listening\n\n"))
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            var text = ""
            for entry in try await tail.next() {
                text += "id: \(entry.checkpoint.text)\nevent: \(entry.members["topic"]?.string ?? "")\n"
                text += "data: \(JSON.object(entry.members).text)\n\n"
            }
            silence = text.isEmpty ? silence + 1 : 0
            if silence > 20 {
                text = ": still here\n\n"
                silence = 0
            }
            if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
            if tail.isCaughtUp { try await Task.sleep(for: .milliseconds(500)) }
        }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
