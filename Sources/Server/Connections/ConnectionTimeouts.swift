import Linden
import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client does not finish its headers or its request in time, or on which nothing is asked for a long time; and
/// bounds what unfinished headers hold together.
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
    private let heads: SharedBudget
    private var network: UInt64 = 0
    /// Bytes that came and have not become a request yet.
    private var headBytes = 0
    /// As many of them as are counted in the budget.
    private var countedBytes = 0
    private let bytes = ByteObserver()
    private var headerDeadline: Scheduled<Void>?
    private var requestDeadline: Scheduled<Void>?
    private var idleDeadline: Scheduled<Void>?

    /// - Parameter heads: what the beginnings of requests may hold on all connections while the rest of their headers is waited for. What
    ///   comes in one read takes nothing of it.
    init(header: TimeAmount, request: TimeAmount, idle: TimeAmount, heads: SharedBudget) {
        self.heads = heads
        headerTimeout = header
        requestTimeout = request
        idleTimeout = idle
    }

    func handlerAdded(context: ChannelHandlerContext) {
        lastActive = context.eventLoop.now
        lookAfter(idleTimeout, context)
        network = context.remoteAddress?.ipAddress.flatMap { ClientAddress($0) }?.networkNumber ?? 0
        bytes.observe = { [self] count in headBytes += count }
        try? context.pipeline.syncOperations.addHandler(bytes, position: .first)
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
        case .body: headBytes = 0
        case .end:
            headBytes = 0
            endRequest()
        }
        context.fireChannelRead(data)
    }

    /// Most requests are read at once and need no deadline.
    func channelReadComplete(context: ChannelHandlerContext) {
        if isReadingRequest, requestDeadline == nil { setRequestDeadline(context) }
        if headBytes > 0, !isReadingRequest, unanswered == 0 { waitForHead(context) }
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

    private func waitForHead(_ context: ChannelHandlerContext) {
        if headerDeadline == nil {
            headerDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: headerTimeout) { context.close(promise: nil) }
        }
        guard !bytes.isEnded else { return }
        guard heads.take(headBytes - countedBytes, of: network) else { return bytes.end(by: HeadBudgetExceeded()) }
        countedBytes = headBytes
    }

    private func endHead() {
        if countedBytes > 0 { heads.giveBack(countedBytes, of: network) }
        (headBytes, countedBytes) = (0, 0)
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

/// No room was left for the beginning of a request.
struct HeadBudgetExceeded: Error {}

/// Reports how many bytes came, whole requests or not, ahead of the parser.
private final class ByteObserver: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    var observe: ((Int) -> Void)?
    /// Whether what comes is dropped from now on.
    private(set) var isEnded = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        observe = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnded else { return }
        observe?(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    /// Tells the handlers behind of an error, and lets no more bytes through to them.
    func end(by error: any Error) {
        isEnded = true
        context?.fireErrorCaught(error)
    }
}
