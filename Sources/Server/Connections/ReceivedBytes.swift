import NIOCore

/// The first of a connection's handlers, ahead of the parser: reports how many bytes came, and passes on no more than was asked for.
///
/// While a request is being answered, nothing more is read. But once a client has ended the connection, or its own side of it, the channel
/// reads at once all that the client had sent, however many requests these are. Here they wait as bytes; a client that has left costs no
/// more than that.
final class ReceivedBytes: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// Is given the number of bytes that came, whole requests or not.
    var observe: ((Int) -> Void)?
    /// Whether what comes is dropped from now on.
    private(set) var isEnded = false
    private var context: ChannelHandlerContext?
    private var isAskedForMore = false
    private var isPassingOn = false
    private var waiting = ByteBuffer()
    /// The end of the client's side, which comes after the bytes that wait.
    private var end: ChannelEvent?

    /// As many bytes are passed on at a time; ``ConnectionAdmission`` lets the channel read as many.
    static let readBytes = 8 << 10
    private let mostWaitingBytes: Int

    /// - Parameter mostWaitingBytes: a connection of which more waits is closed. The largest request must have room.
    init(mostWaitingBytes: Int) {
        self.mostWaitingBytes = mostWaitingBytes
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        observe = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnded else { return }
        var bytes = unwrapInboundIn(data)
        observe?(bytes.readableBytes)
        if isAskedForMore, waiting.readableBytes == 0 {
            isAskedForMore = false
            return context.fireChannelRead(data)
        }
        waiting.writeBuffer(&bytes)
        if waiting.readableBytes > mostWaitingBytes { context.close(promise: nil) }
    }

    func read(context: ChannelHandlerContext) {
        isAskedForMore = true
        guard waiting.readableBytes > 0 else { return context.read() }
        passOn(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if waiting.readableBytes > 0, let event = event as? ChannelEvent, event == .inputClosed {
            end = event
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting = ByteBuffer()
        end = nil
        context.fireChannelInactive()
    }

    /// As much of what waits as is asked for. Handlers ask for more within these calls.
    private func passOn(_ context: ChannelHandlerContext) {
        guard !isPassingOn else { return }
        isPassingOn = true
        defer { isPassingOn = false }
        while isAskedForMore, let part = waiting.readSlice(length: min(waiting.readableBytes, Self.readBytes)),
            part.readableBytes > 0
        {
            isAskedForMore = false
            context.fireChannelRead(wrapInboundOut(part))
            context.fireChannelReadComplete()
            context.channel.pipeline.syncOperations.read()
        }
        guard waiting.readableBytes == 0, let end else { return }
        self.end = nil
        context.fireUserInboundEventTriggered(end)
    }

    /// Tells the handlers behind of an error, and lets no more bytes through to them.
    func end(by error: any Error) {
        isEnded = true
        waiting = ByteBuffer()
        context?.fireErrorCaught(error)
    }
}
