import HTTPTypes
import Hummingbird
import Linden
import LindenKernel
import LindenReporting
import LindenServices
import NIOCore
import ServiceLifecycle

/// An app's activity as server-sent events (WHATWG HTML, "Server-sent events").
struct EventStreamRoutes {
    let apps: AppService
    let exports: ExportService
    let tokens: TokenService
    let broadcaster: EventBroadcaster
    private let turns = CatchUpTurns()

    init(apps: AppService, exports: ExportService, tokens: TokenService) {
        self.apps = apps
        self.exports = exports
        self.tokens = tokens
        broadcaster = EventBroadcaster(exports: exports)
    }

    func stream(_ request: Request, _ context: LindenContext) async throws -> Response {
        let query = QueryParameters(request.rawQuery)
        let scope = try await request.authorizedScope(tokens, apps) {
            try query.check(["app", "topic", "since", "limit"], of: "the stream")
            return query.value("app")
        }
        // A reconnecting client sends the header, which is later than `since`.
        let since = request.header(.lastEventID) ?? query.value("since")
        let limit = try query.number("limit")
        guard limit.map({ $0 > 0 }) ?? true else { throw Failure.invalid("limit must be above 0.") }
        let topics = try ExportTopic.topics(named: query.value("topic"))
        let tail = try await exports.tail(topics, in: scope, since: try since.map(ExportCheckpoint.init))
        try await broadcaster.checkRoom(scope)
        let listener = EventListener(
            tail: tail, topics: Set((topics.isEmpty ? ExportTopic.current : topics).map(\.rawValue)), limit: limit ?? .max,
            turns: turns, tokens: tokens, token: request.accessToken, app: scope.app)
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
    /// The client's start position. It also reads rows while the client is behind the broadcast.
    let tail: ExportTail
    let topics: Set<String>
    /// The number of messages after which the stream ends.
    let limit: Int
    let turns: CatchUpTurns
    let tokens: TokenService
    let token: String?
    let app: App.ID

    /// Sends messages until the limit is reached, the client disconnects, its token is revoked or the server stops. Comments detect
    /// disconnected clients while there are no messages.
    func listen(to broadcast: EventBroadcast, _ writer: inout any ResponseBodyWriter) async throws {
        var position = tail.position
        var (quietRounds, rounds, left) = (0, 0, limit)
        try await writer.write(ByteBuffer(string: ": listening\n\n"))
        while left > 0, !Task.isCancelled, !Task.isShuttingDownGracefully {
            rounds += 1
            if rounds % Self.roundsPerCheck == 0, try await !isAllowed() { return }
            var text = ByteBuffer()
            if let (messages, next) = broadcast.messages(after: position, of: topics) {
                text.append(messages, left: &left)
                position = next
            } else {
                let page = try await turns.perform(of: app) { [position] in try await EventPage(tail.continuing(after: position)) }
                text.append(page.messages, left: &left)
                position = page.position
                if text.readableBytes > 0 { try await writer.write(text) }
                if page.isCaughtUp { try await Task.sleep(for: .milliseconds(500)) }
                continue
            }
            quietRounds = text.readableBytes == 0 ? quietRounds + 1 : 0
            if quietRounds > Self.quietRoundsPerComment {
                text.writeString(": still here\n\n")
                quietRounds = 0
            }
            if text.readableBytes > 0 {
                try await writer.write(text)
            } else {
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private static let quietRoundsPerComment = 20
    private static let roundsPerCheck = 6

    /// Whether the token is still valid.
    private func isAllowed() async throws -> Bool {
        do {
            _ = try await tokens.authorize(token, role: .analyst, app: app)
            return true
        } catch let failure as Failure where failure.code == .unauthorized || failure.code == .forbidden {
            return false
        }
    }
}

/// One page of the rows that a listener behind the broadcast reads by itself.
private struct EventPage: Sendable {
    let messages: [EventBroadcast.Message]
    let position: Int64
    let isCaughtUp: Bool

    init(_ tail: ExportTail) async throws {
        var tail = tail
        messages = try await tail.next().map(EventBroadcast.Message.init)
        (position, isCaughtUp) = (tail.position, tail.isCaughtUp)
    }
}

extension ByteBuffer {
    /// - Parameter left: the number of messages that may still be sent; decreased by those appended.
    fileprivate mutating func append(_ messages: [EventBroadcast.Message], left: inout Int) {
        for message in messages.prefix(left) { writeImmutableBuffer(message.text) }
        left -= min(left, messages.count)
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
