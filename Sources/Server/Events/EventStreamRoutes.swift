import HTTPTypes
import Hummingbird
import Linden
import NIOCore
import ServiceLifecycle

/// What happens in an app, told to whoever listens (server-sent events, WHATWG HTML).
struct EventStreamRoutes {
    let services: Services

    func stream(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = QueryParameters(request.rawQuery)
        let scope = try await request.authorizedScope(services) {
            try query.check(["app", "topic", "since", "limit"], of: "the stream")
            return query.value("app")
        }
        // A listener that was cut off sends the header, which is later than where it began.
        let since = request.header(.lastEventID) ?? query.value("since")
        let limit = try query.number("limit")
        guard limit.map({ $0 > 0 }) ?? true else { throw Failure.invalid("limit must be above 0.") }
        let tail = try await services.exports.tail(
            try ExportTopic.topics(named: query.value("topic")), in: scope, since: try since.map(ExportCheckpoint.init))
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await Self.send(tail, limit: limit ?? .max, to: &writer)
                try await writer.finish(nil)
            })
    }

    /// Sends what comes until the limit is reached, the listener leaves or the server stops. A comment now and then notices that it has left.
    private static func send(_ tail: ExportTail, limit: Int, to writer: inout any ResponseBodyWriter) async throws {
        var tail = tail
        var (silence, left) = (0, limit)
        try await writer.write(ByteBuffer(string: ": listening\n\n"))
        while left > 0, !Task.isCancelled, !Task.isShuttingDownGracefully {
            var text = ""
            for entry in try await tail.next().prefix(left) {
                left -= 1
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
