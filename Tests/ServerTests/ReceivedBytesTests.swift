import NIOCore
import NIOEmbedded
import Testing

@testable import Server

/// The handler of received bytes ahead of the parser; ``Reader`` stands for the handlers after it.
@Suite struct ReceivedBytesTests {
    private let channel = EmbeddedChannel()
    private let reader = Reader()

    init() throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([ReceivedBytes(mostWaitingBytes: 50_000), reader])
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
