import NIOCore

/// The first handler of a connection, ahead of the parser: counts received bytes, and forwards only as much as the handlers behind ask for.
///
/// While a request is being answered, nothing more is read. But once a client has closed the connection or its side of it, the channel
/// reads all remaining bytes at once, however many requests they hold. They are queued here unparsed, so a client that has left costs no
/// more than their memory.
final class ReceivedBytes: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// Called with the number of received bytes, at any boundary.
    var observe: ((Int) -> Void)?
    /// Whether received bytes are dropped from now on.
    private(set) var isEnded = false
    private var context: ChannelHandlerContext?
    private var isAskedForMore = false
    private var isPassingOn = false
    private var waiting = ByteBuffer()
    /// The end of the client's side, delivered after the queued bytes.
    private var end: ChannelEvent?

    /// Bytes forwarded at a time; ``ConnectionAdmission`` sets the same size for reads of the channel.
    static let readBytes = 8 << 10
    private let mostWaitingBytes: Int

    /// - Parameter mostWaitingBytes: the maximum of queued bytes; a connection with more is closed. The largest request must fit.
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

    /// Forwards queued bytes while the handlers behind ask for more, which they do within these calls.
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

    /// Drops all further bytes.
    func drop() {
        isEnded = true
        waiting = ByteBuffer()
    }

    /// Reports an error to the handlers behind, and drops all further bytes.
    func drop(reporting error: any Error) {
        drop()
        context?.fireErrorCaught(error)
    }
}
