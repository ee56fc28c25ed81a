import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client does not finish its headers or its request in time, or on which nothing is asked for a long time.
///
/// Hummingbird's own idle time rests while a request is being read, so that a client that sends half a body and falls silent would hold
/// its connection, and a shutdown, for ever; and it sees nothing of what is answered ahead of it.
final class ConnectionTimeouts: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let headerTimeout: TimeAmount
    private let requestTimeout: TimeAmount
    private let idleTimeout: TimeAmount
    private var isReadingRequest = false
    private var unanswered = 0
    private var lastActive = NIODeadline.distantPast
    /// Bytes came that have not become a request yet.
    private var hasPartialHead = false
    private var headerDeadline: Scheduled<Void>?
    private var requestDeadline: Scheduled<Void>?
    private var idleDeadline: Scheduled<Void>?

    init(header: TimeAmount, request: TimeAmount, idle: TimeAmount) {
        headerTimeout = header
        requestTimeout = request
        idleTimeout = idle
    }

    func handlerAdded(context: ChannelHandlerContext) {
        lastActive = context.eventLoop.now
        lookAfter(idleTimeout, context)
        try? context.pipeline.syncOperations.addHandler(ByteObserver { [self] in hasPartialHead = true }, position: .first)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        endRequest()
        endHead()
        idleDeadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            endHead()
            isReadingRequest = true
            unanswered += 1
        case .body: hasPartialHead = false
        case .end:
            hasPartialHead = false
            endRequest()
        }
        context.fireChannelRead(data)
    }

    /// Most requests are read at once and need no deadline.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isReadingRequest, requestDeadline == nil { setRequestDeadline(context) }
        if hasPartialHead, headerDeadline == nil, !isReadingRequest, unanswered == 0 {
            headerDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: headerTimeout) { context.close(promise: nil) }
        }
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
        endHead()
        idleDeadline?.cancel()
        context.fireChannelInactive()
    }

    private func endHead() {
        hasPartialHead = false
        headerDeadline?.cancel()
        headerDeadline = nil
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

/// Reports that bytes came, whole requests or not, ahead of the parser.
private final class ByteObserver: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let observe: () -> Void

    init(observe: @escaping () -> Void) {
        self.observe = observe
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        observe()
        context.fireChannelRead(data)
    }
}
