import HTTPTypes
import LindenKernel
import LindenServices
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Connections
@testable import Server

/// Requests of one site, of which a few at a time are forwarded to tasks.
@Suite struct ForwardingQueueTests {
    private static let head = HTTPRequest(method: .get, scheme: "http", authority: "go.example.com", path: "/healthz")

    private let turns = ForwardingTurns()

    @Test func ofASiteSixteenRequestsAreForwardedAndTheNextOnceATaskHasBegun() throws {
        let channels = try (0..<18).map { _ in try connection(of: "198.51.100.7") }
        for channel in channels { try send(to: channel) }
        #expect(try channels.map(forwarded) == Array(repeating: 2, count: 16) + [0, 0])

        turns.end(channels[3])
        channels.forEach { $0.embeddedEventLoop.run() }
        #expect(try forwarded(channels[16]) == 2)
        #expect(try forwarded(channels[17]) == 0)
        // A task ends its turn once.
        turns.end(channels[3])
        channels.forEach { $0.embeddedEventLoop.run() }
        #expect(try forwarded(channels[17]) == 0)
    }

    @Test func aWholeRequestKeepsItsTurnUntilItsTaskBeginsThoughItsConnectionEnds() throws {
        let client = ClientNetwork(try #require(ClientAddress("198.51.100.7")))
        for _ in 0..<16 { #expect(turns.beginNow(client)) }
        #expect(!turns.beginNow(client))
        let waiting = try connection(of: "198.51.100.7")
        try send(to: waiting)
        let ended = try connection(of: "198.51.100.7")
        _ = try ended.finish()
        waiting.embeddedEventLoop.run()
        #expect(try forwarded(waiting) == 0)

        turns.end(of: client)
        waiting.embeddedEventLoop.run()
        #expect(try forwarded(waiting) == 2)
        #expect(!turns.beginNow(client), "the turn went to the request that had waited")
    }

    @Test func anotherSiteDoesNotWait() throws {
        let channels = try (0..<17).map { _ in try connection(of: "198.51.100.7") }
        for channel in channels { try send(to: channel) }
        let other = try connection(of: "192.0.2.9")
        try send(to: other)
        #expect(try forwarded(other) == 2)
        let exempt = try (0..<20).map { _ in try connection(of: nil) }
        for channel in exempt { try send(to: channel) }
        #expect(try exempt.map(forwarded) == Array(repeating: 2, count: 20))
    }

    @Test func aConnectionThatEndsPassesItsTurnOnWhetherItWaitedOrNot() throws {
        let channels = try (0..<18).map { _ in try connection(of: "198.51.100.7") }
        for channel in channels { try send(to: channel) }
        _ = try channels[16].finish()
        _ = try channels[0].finish()
        channels.forEach { $0.embeddedEventLoop.run() }
        #expect(try forwarded(channels[17]) == 2)
    }

    @Test func connectionsThatEndWhileTheyWaitTakeNoTurnsFromLaterOnes() throws {
        let running = try (0..<16).map { _ in try connection(of: "198.51.100.7") }
        for channel in running { try send(to: channel) }
        let loops = try (0..<200).map { _ in
            let ended = try connection(of: "198.51.100.7")
            try send(to: ended)
            _ = try ended.finish()
            return ended.embeddedEventLoop
        }
        let others = try (0..<16).map { _ in try connection(of: "192.0.2.9") }
        for channel in others { try send(to: channel) }
        #expect(try others.map(forwarded) == Array(repeating: 2, count: 16))
        // One after another the ended ones pass the turn on.
        turns.end(running[0])
        for _ in 0..<200 { loops.forEach { $0.run() } }
        for channel in others { turns.end(channel) }
        for channel in running.dropFirst() { turns.end(channel) }
        let later =
            try (0..<16).map { _ in try connection(of: "192.0.2.9") } + (0..<16).map { _ in try connection(of: "198.51.100.7") }
        for channel in later { try send(to: channel) }
        #expect(try later.map(forwarded) == Array(repeating: 2, count: 32))
    }

    @Test func whileARequestWaitsReadingStopsAndTheEndOfTheInputFollowsIt() throws {
        let channels = try (0..<17).map { _ in try connection(of: "198.51.100.7") }
        for channel in channels { try send(to: channel) }
        let last = channels[16]
        let reads = try last.pipeline.syncOperations.handler(type: Reads.self)
        let before = reads.count
        last.read()
        #expect(reads.count == before)
        last.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        let events = try last.pipeline.syncOperations.handler(type: Events.self)
        #expect(events.seen == [])
        turns.end(channels[0])
        last.embeddedEventLoop.run()
        #expect(events.seen == ["head", "end", "inputClosed"])
        #expect(reads.count == before + 1)
    }

    @Test func aShutdownIsNotWaitedFor() throws {
        let channels = try (0..<17).map { _ in try connection(of: "198.51.100.7") }
        for channel in channels { try send(to: channel) }
        channels[16].pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        #expect(try channels[16].pipeline.syncOperations.handler(type: Events.self).seen == ["head", "end", "quiesce"])
    }

    @Test func aSiteWithTooManyWaitingRequestsIsRefused() throws {
        let channels = try (0..<16 + ForwardingTurns.mostWaiting.ofSite + 1).map { _ in try connection(of: "198.51.100.7") }
        for channel in channels { try send(to: channel) }
        #expect(channels[channels.count - 2].isActive)
        #expect(!channels[channels.count - 1].isActive)
    }

    /// What came through.
    private final class Events: ChannelInboundHandler {
        typealias InboundIn = HTTPRequestPart

        var seen: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: seen.append("head")
            case .body: seen.append("body")
            case .end: seen.append("end")
            }
            context.fireChannelRead(data)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            seen.append(event is ChannelShouldQuiesceEvent ? "quiesce" : "\(event)")
        }
    }

    /// The reads that reached the socket.
    private final class Reads: ChannelOutboundHandler {
        typealias OutboundIn = HTTPResponsePart

        var count = 0

        func read(context: ChannelHandlerContext) {
            count += 1
            context.read()
        }
    }

    private func connection(of address: String?) throws -> EmbeddedChannel {
        let client = address.flatMap { ClientAddress($0) }.map { ClientNetwork($0) }
        let channel = EmbeddedChannel(handlers: [Reads(), ForwardingQueue(turns: turns) { _, _ in client }, Events()])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 40000)).wait()
        return channel
    }

    private func send(to channel: EmbeddedChannel) throws {
        try channel.writeInbound(HTTPRequestPart.head(Self.head))
        try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    /// The number of parts that were forwarded since the last call.
    private func forwarded(_ channel: EmbeddedChannel) throws -> Int {
        var count = 0
        while try channel.readInbound(as: HTTPRequestPart.self) != nil { count += 1 }
        return count
    }
}
