import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client does not finish its request in time. Hummingbird's own idle time rests while a request is being
/// read, so that a client that sends half a body and falls silent would hold its connection, and a shutdown, for ever.
final class SlowRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let timeout: TimeAmount
    private var isReadingRequest = false
    private var deadline: Scheduled<Void>?

    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: isReadingRequest = true
        case .body: break
        case .end: endRequest()
        }
        context.fireChannelRead(data)
    }

    /// Most requests are read at once and need no deadline.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isReadingRequest, deadline == nil {
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        endRequest()
        context.fireChannelInactive()
    }

    private func endRequest() {
        isReadingRequest = false
        deadline?.cancel()
        deadline = nil
    }
}
