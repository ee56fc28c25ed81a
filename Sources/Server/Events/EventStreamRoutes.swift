import HTTPTypes
import Hummingbird
import Linden
import NIOCore
import ServiceLifecycle

/// What happens in an app, as server-sent events (WHATWG HTML, "Server-sent events").
struct EventStreamRoutes {
    let services: Services
    let broadcaster: EventBroadcaster

    init(services: Services) {
        self.services = services
        broadcaster = EventBroadcaster(exports: services.exports)
    }

    func stream(_ request: Request, _ context: LindenContext) async throws -> Response {
        // First of all: what a call without a token lacks is the token.
        _ = try await services.tokens.authorize(request.accessToken, role: .analyst)
        guard let app = request.queryValue("app_id").flatMap({ Int64($0) }).map(App.ID.init(rawValue:)) else {
            throw Failure.invalid("app_id is missing in the query: the app's id.")
        }
        _ = try await services.tokens.authorize(request.accessToken, role: .analyst, app: app)
        let scope = Scope(app: app, mode: request.queryValue("mode") == "test" ? .test : .live)
        guard try await services.directory.app(scope: scope) != nil else { throw Failure.notFound("There is no app \(app).") }
        let topics = try ExportTopic.topics(named: request.queryValue("topic"))
        let tail = try await services.exports.tail(
            topics, in: scope, since: try request.header(.lastEventID).map(ExportCheckpoint.init))
        try await broadcaster.checkRoom(scope)
        let listener = EventListener(
            tail: tail, topics: Set((topics.isEmpty ? ExportTopic.current : topics).map(\.rawValue)), tokens: services.tokens,
            token: request.accessToken, app: app)
        let (broadcaster, logger) = (broadcaster, context.logger)
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                let broadcast = try await broadcaster.join(scope, logger: logger)
                do {
                    try await listener.listen(to: broadcast, &writer)
                } catch {
                    await broadcaster.leave(scope)
                    throw error
                }
                await broadcaster.leave(scope)
                try await writer.finish(nil)
            })
    }
}

/// One client of an event stream.
private struct EventListener: Sendable {
    /// Where the client goes on from, and what it reads by while it is behind the broadcast.
    let tail: ExportTail
    let topics: Set<String>
    let tokens: TokenService
    let token: String?
    let app: App.ID

    /// Sends until the client leaves, its token is revoked or the server stops. A comment now and then shows whether the client is there.
    func listen(to broadcast: EventBroadcast, _ writer: inout any ResponseBodyWriter) async throws {
        var position = tail.position
        var (quietRounds, rounds) = (0, 0)
        try await writer.write(ByteBuffer(string: ": listening\n\n"))
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            rounds += 1
            if rounds % Self.roundsPerCheck == 0, try await !isAllowed() { return }
            var text = ByteBuffer()
            if let (messages, next) = broadcast.messages(after: position, of: topics) {
                for message in messages { text.writeImmutableBuffer(message.text) }
                position = next
            } else {
                var own = tail.continuing(after: position)
                for entry in try await own.next() { text.writeImmutableBuffer(EventBroadcast.Message(entry).text) }
                position = own.position
                if text.readableBytes > 0 { try await writer.write(text) }
                continue
            }
            quietRounds = text.readableBytes == 0 ? quietRounds + 1 : 0
            if quietRounds > Self.quietRoundsPerComment {
                text.writeString(": still here\n\n")
                quietRounds = 0
            }
            if text.readableBytes > 0 { try await writer.write(text) }
            try await Task.sleep(for: .milliseconds(500))
        }
    }

    private static let quietRoundsPerComment = 20
    private static let roundsPerCheck = 6

    /// Whether the token is still good.
    private func isAllowed() async throws -> Bool {
        do {
            _ = try await tokens.authorize(token, role: .analyst, app: app)
            return true
        } catch let failure as Failure where failure.code == .unauthorized || failure.code == .forbidden {
            return false
        }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
