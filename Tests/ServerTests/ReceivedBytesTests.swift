import NIOCore
import NIOEmbedded
import Testing

@testable import Connections
@testable import Server

/// The handler of received bytes ahead of the parser; ``Reader`` stands for the handlers after it.
@Suite struct ReceivedBytesTests {
    private let channel = EmbeddedChannel()
    private let reader = Reader()
    private let bytes = ReceivedBytes(mostWaitingBytes: 50_000, closing: ClosingConnections())

    init() throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([bytes, reader])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/client")).wait()
    }

    @Test func whatWasAskedForComesAtOnce() {
        channel.pipeline.read()
        receive(100)
        #expect(reader.parts == [100])
    }

    @Test func whatWasNotAskedForWaitsAndComesInParts() {
        receive(20_000)
        #expect(reader.parts.isEmpty)
        channel.pipeline.read()
        #expect(reader.parts == [8192, 8192, 3616])
    }

    @Test func noMoreIsPassedOnWhileTheReaderIsBusy() {
        reader.mostParts = 1
        receive(20_000)
        channel.pipeline.read()
        #expect(reader.parts == [8192])
        reader.mostParts = 3
        channel.pipeline.read()
        #expect(reader.parts == [8192, 8192, 3616])
    }

    @Test func theEndOfTheClientsSideComesAfterWhatItSent() {
        receive(10_000)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!reader.hasEnd)
        reader.mostParts = 1
        channel.pipeline.read()
        #expect(!reader.hasEnd)
        reader.mostParts = 2
        channel.pipeline.read()
        #expect(reader.parts == [8192, 1808])
        #expect(reader.hasEnd)
    }

    @Test func whatAClientLeftBehindIsNotRead() throws {
        receive(20_000)
        try channel.close().wait()
        channel.pipeline.read()
        #expect(reader.parts.isEmpty)
    }

    @Test func whatWaitsIsBounded() {
        receive(50_000)
        #expect(channel.isActive)
        receive(1)
        #expect(!channel.isActive)
    }

    @Test func eachRequestOfARunIsPassedOnAlone() {
        let request = "GET / HTTP/1.1\r\nHost:\r\n\r\n"
        reader.mostParts = 1
        channel.pipeline.read()
        receive(String(repeating: request, count: 300))
        #expect(reader.parts == [request.utf8.count])
        reader.mostParts = .max
        channel.pipeline.read()
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(reader.parts == Array(repeating: request.utf8.count, count: 300))
    }

    @Test func afterSomeRequestsOfARunOtherConnectionsHaveTheirTurn() {
        receive(String(repeating: "GET / HTTP/1.1\r\nHost:\r\n\r\n", count: 20))
        channel.pipeline.read()
        #expect(reader.parts.count == 8)
        // Neither more bytes nor another read take another's turn.
        channel.pipeline.read()
        receive("GET / HTTP/1.1\r\nHost:\r\n\r\n")
        channel.embeddedEventLoop.run()
        #expect(reader.parts.count == 8)
        channel.embeddedEventLoop.advanceTime(by: ReceivedBytes.pause)
        #expect(reader.parts.count == 16)
        channel.embeddedEventLoop.advanceTime(by: ReceivedBytes.pause)
        #expect(reader.parts.count == 21)
    }

    @Test func aConnectionThatEndsInAPauseForwardsNothingMore() throws {
        receive(String(repeating: "GET / HTTP/1.1\r\nHost:\r\n\r\n", count: 20))
        channel.pipeline.read()
        try channel.close().wait()
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(reader.parts.count == 8)
    }

    @Test(arguments: [1, 2, 20, 22, 23, 24, 25]) func aHeadMayComeInParts(count: Int) {
        let request = Array("GET / HTTP/1.1\r\nHost:\r\n\r\n".utf8)
        channel.pipeline.read()
        receive(request.prefix(count))
        channel.pipeline.read()
        receive(request.dropFirst(count) + request)
        #expect(reader.parts.reduce(0, +) == 2 * request.count)
        #expect(reader.parts.last == request.count, "\(reader.parts)")
    }

    @Test func lineEndsBeforeARequestAreSkipped() {
        channel.pipeline.read()
        for _ in 0..<100 { receive(String(repeating: "\r\n", count: 4000)) }
        #expect(reader.parts.isEmpty && channel.isActive)
        receive("\r\nGET / HTTP/1.1\r\nHost:\r\n\r\n")
        #expect(reader.parts == [25])
    }

    @Test func aBodyComesInLargePartsWhateverItHolds() {
        bytes.expected = .body(20_000)
        channel.pipeline.read()
        receive(String(repeating: "\r\n", count: 10_000) + "GET / HTTP/1.1\r\n\r\nGET")
        #expect(reader.parts.prefix(3) == [8192, 8192, 3616])
        #expect(reader.parts.dropFirst(3).reduce(0, +) == 21)
    }

    @Test func whatWasPassedOnIsNotKept() {
        reader.mostParts = 0
        for _ in 0..<1000 {
            receive(String(repeating: "GET / HTTP/1.1\r\nHost:\r\n\r\n", count: 300))
            reader.mostParts = .max
            channel.pipeline.read()
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            reader.mostParts = 0
            #expect(bytes.capacity == 0)
        }
    }

    private func receive(_ text: String) {
        receive(Array(text.utf8))
    }

    private func receive(_ sent: some Sequence<UInt8>) {
        channel.pipeline.fireChannelRead(ByteBuffer(bytes: sent))
        channel.pipeline.fireChannelReadComplete()
    }

    private func receive(_ count: Int) {
        channel.pipeline.fireChannelRead(ByteBuffer(repeating: 0x67, count: count))
        channel.pipeline.fireChannelReadComplete()
    }
}

/// Reads until it has the maximum number of parts.
private final class Reader: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    var mostParts = Int.max
    private(set) var parts: [Int] = []
    private(set) var hasEnd = false

    func read(context: ChannelHandlerContext) {
        if parts.count < mostParts { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        parts.append(unwrapInboundIn(data).readableBytes)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? ChannelEvent, event == .inputClosed { hasEnd = true }
    }
}
