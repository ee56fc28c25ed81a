import Linden
import NIOCore
import NIOHTTPTypes

/// Closes a connection whose client does not finish its headers or its request in time, or on which nothing is asked for a long time; and
/// bounds what unfinished requests hold together.
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
    private let unfinished: SharedBudget
    private let exempt: [Network]
    /// What the budget counts by; nil for an exempt address, which stands for many visitors.
    private var network: UInt64?
    /// Bytes that came of a request that has not ended yet.
    private var requestBytes = 0
    /// Whether the request that is being read was answered already: then the rest of it is read and dropped.
    private var isAnswered = false
    /// As many of them as are counted in the budget.
    private var countedBytes = 0
    private let bytes: ReceivedBytes
    private var headerDeadline: Scheduled<Void>?
    private var requestDeadline: Scheduled<Void>?
    private var idleDeadline: Scheduled<Void>?

    /// - Parameter bytes: is added to the pipeline, as its first handler.
    /// - Parameter unfinished: what the beginnings of requests may hold on all connections while the rest is waited for. What comes in one
    ///   read takes nothing of it, and large bodies have a budget of their own.
    /// - Parameter exempt: networks whose addresses stand for many visitors, such as proxies.
    init(
        bytes: ReceivedBytes, header: TimeAmount, request: TimeAmount, idle: TimeAmount, unfinished: SharedBudget,
        exempt: [Network] = []
    ) {
        self.bytes = bytes
        self.exempt = exempt
        self.unfinished = unfinished
        headerTimeout = header
        requestTimeout = request
        idleTimeout = idle
    }

    func handlerAdded(context: ChannelHandlerContext) {
        lastActive = context.eventLoop.now
        lookAfter(idleTimeout, context)
        let address = context.remoteAddress?.ipAddress.flatMap { ClientAddress($0) } ?? .unknown
        network = exempt.contains { $0.contains(address) } ? nil : address.networkNumber
        bytes.observe = { [self] count in requestBytes += count }
        try? context.pipeline.syncOperations.addHandler(bytes, position: .first)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        endRequest()
        idleDeadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            endHead()
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
        if requestBytes > 0 { waitForRest(context) }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) {
            // What is no request is answered, too.
            unanswered = max(0, unanswered - 1)
            if isReadingRequest, unanswered == 0 {
                isAnswered = true
                giveBack()
            }
            lastActive = context.eventLoop.now
        }
        context.write(data, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        endRequest()
        idleDeadline?.cancel()
        context.fireChannelInactive()
    }

    private func waitForRest(_ context: ChannelHandlerContext) {
        if headerDeadline == nil, !isReadingRequest, unanswered == 0 {
            headerDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: headerTimeout) { context.close(promise: nil) }
        }
        guard !bytes.isEnded, !isAnswered else { return }
        let held = min(requestBytes, Self.mostHeldBytes)
        guard unfinished.take(held - countedBytes, of: network) else { return bytes.end(by: RequestBudgetExceeded()) }
        countedBytes = held
    }

    /// All headers, and of the body what ``BodyBudgetMiddleware`` does not count.
    private static let mostHeldBytes = ConnectionLimits.headerListBytes + BodyBudgetMiddleware.freeBytes

    private func endHead() {
        headerDeadline?.cancel()
        headerDeadline = nil
    }

    private func endRequest() {
        endHead()
        giveBack()
        requestBytes = 0
        isAnswered = false
        isReadingRequest = false
        requestDeadline?.cancel()
        requestDeadline = nil
    }

    private func giveBack() {
        if countedBytes > 0 { unfinished.giveBack(countedBytes, of: network) }
        countedBytes = 0
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
struct RequestBudgetExceeded: Error {}
