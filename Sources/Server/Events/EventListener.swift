import Dashboard
import Hummingbird
import Linden
import LindenReporting
import NIOCore
import ServiceLifecycle

/// One client of an event stream.
struct EventListener: Sendable {
    /// The client's start position. It also reads rows while the client is behind the broadcast.
    let tail: ExportTail
    let topics: Set<String>
    /// The platform of the messages; nil for all.
    var platform: LivePlatform?
    /// The number of messages after which the stream ends.
    let limit: Int
    let app: App.ID
    /// The text of a message for this client.
    let text: @Sendable (EventBroadcast.Message) -> ByteBuffer
    /// Whether the client may still read the stream.
    let isAllowed: @Sendable () async throws -> Bool

    /// Sends messages until the limit is reached, the client disconnects, its access ends or the server stops. Comments detect
    /// disconnected clients while there are no messages.
    func listen(to broadcast: EventBroadcast, _ turns: CatchUpTurns, _ writer: inout any ResponseBodyWriter) async throws {
        var position = tail.position
        var (quietRounds, rounds, left) = (0, 0, limit)
        try await writer.write(ByteBuffer(string: ": listening\n\n"))
        while left > 0, !Task.isCancelled, !Task.isShuttingDownGracefully {
            rounds += 1
            if rounds % Self.roundsPerCheck == 0, try await !isAllowed() { return }
            var text = ByteBuffer()
            if let (messages, next) = broadcast.messages(after: position, of: topics) {
                append(messages, to: &text, left: &left)
                position = next
            } else {
                let page = try await turns.perform(of: app) { [position] in try await EventPage(tail.continuing(after: position)) }
                append(page.messages, to: &text, left: &left)
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

    /// Appends the messages of the platform.
    ///
    /// - Parameter left: the number of messages that may still be sent; decreased by those appended.
    private func append(_ messages: [EventBroadcast.Message], to buffer: inout ByteBuffer, left: inout Int) {
        for message in messages where left > 0 && (platform == nil || platform == message.platform) {
            buffer.writeImmutableBuffer(text(message))
            left -= 1
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
