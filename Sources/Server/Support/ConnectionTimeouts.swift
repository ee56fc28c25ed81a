import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client does not finish its request in time, or on which nothing is asked for a long time.
///
/// Hummingbird's own idle time rests while a request is being read, so that a client that sends half a body and falls silent would hold
/// its connection, and a shutdown, for ever; and it sees nothing of what is answered ahead of it.
final class ConnectionTimeouts: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let requestTimeout: TimeAmount
    private let idleTimeout: TimeAmount
    private var isReadingRequest = false
    private var unanswered = 0
    private var lastActive = NIODeadline.distantPast
    private var requestDeadline: Scheduled<Void>?
    private var idleDeadline: Scheduled<Void>?

    init(request: TimeAmount, idle: TimeAmount) {
        requestTimeout = request
        idleTimeout = idle
    }

    func handlerAdded(context: ChannelHandlerContext) {
        lastActive = context.eventLoop.now
        lookAfter(idleTimeout, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        endRequest()
        idleDeadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            isReadingRequest = true
            unanswered += 1
        case .body: break
        case .end: endRequest()
        }
        context.fireChannelRead(data)
    }

    /// Most requests are read at once and need no deadline.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isReadingRequest, requestDeadline == nil { setRequestDeadline(context) }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            // What is no request is answered, too.
            unanswered = max(0, unanswered - 1)
            lastActive = context.eventLoop.now
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        endRequest()
        idleDeadline?.cancel()
        context.fireChannelInactive()
    }

    private func endRequest() {
        isReadingRequest = false
        requestDeadline?.cancel()
        requestDeadline = nil
    }

    /// A request that came before its turn is not read to its end before that.
    private func setRequestDeadline(_ context: ChannelHandlerContext) {
        requestDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: requestTimeout) { [self] in
            if unanswered > 1 { setRequestDeadline(context) } else { context.close(promise: nil) }
        }
    }

    /// One task for a connection, however many requests come over it.
    private func lookAfter(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        idleDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            let idle = context.eventLoop.now - lastActive
            guard unanswered == 0 else { return lookAfter(idleTimeout, context) }
            guard idle >= idleTimeout else { return lookAfter(idleTimeout - idle, context) }
            context.close(promise: nil)
        }
    }
}
