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
            guard let (messages, next) = broadcast.messages(after: position, of: topics) else {
                let page = try await turns.perform(of: app) { [position] in try await EventPage(tail.continuing(after: position)) }
                _ = try await send(page.messages, left: &left, &writer)
                position = page.position
                if page.isCaughtUp { try await Task.sleep(for: .milliseconds(500)) }
                continue
            }
            position = next
            if try await send(messages, left: &left, &writer) {
                quietRounds = 0
                continue
            }
            quietRounds += 1
            if quietRounds > Self.quietRoundsPerComment {
                try await writer.write(ByteBuffer(string: ": still here\n\n"))
                quietRounds = 0
            } else {
                try await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private static let quietRoundsPerComment = 20
    private static let roundsPerCheck = 6
    /// The most bytes that are written at once. A client that does not read holds as many; the text of a message is that of all listeners.
    private static let partBytes = 32 << 10

    /// Sends the messages of the platform, small ones together and large ones in parts. Returns false if there are none.
    ///
    /// - Parameter left: the number of messages that may still be sent; decreased by those sent.
    private func send(
        _ messages: [EventBroadcast.Message], left: inout Int, _ writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        var (small, hasSent) = (ByteBuffer(), false)
        for message in messages where left > 0 && (platform == nil || platform == message.platform) {
            (left, hasSent) = (left - 1, true)
            var rest = text(message)
            if small.readableBytes + rest.readableBytes <= Self.partBytes {
                small.writeImmutableBuffer(rest)
                continue
            }
            if small.readableBytes > 0 { try await writer.write(small) }
            small = ByteBuffer()
            while let part = rest.readSlice(length: min(rest.readableBytes, Self.partBytes)), part.readableBytes > 0 {
                try await writer.write(part)
            }
        }
        if small.readableBytes > 0 { try await writer.write(small) }
        return hasSent
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
