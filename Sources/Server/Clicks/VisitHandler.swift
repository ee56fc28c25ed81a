import HTTPTypes
import Hummingbird
import HummingbirdCore
import Linden
import Logging
import NIOCore
import NIOHTTPTypes

/// A channel handler that answers plain visits on the connection's event loop, ahead of the router, and forwards all other requests to it.
///
/// Most requests to a link server are redirects. A task, an asynchronous sequence and a router for each would cost more than the redirect
/// and its record together. Decision and recording share the code of the router's path, see ``ClickRoutes``.
///
/// Requests of one connection are answered in order: while one is being answered, here or behind this handler, further ones are queued and
/// reading stops.
final class VisitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    enum State {
        case idle
        /// The head of a possible visit has been read, but not its end.
        case reading(HTTPRequest)
        /// A visit is being recorded.
        case answering
        /// The handlers behind read a request and respond to it. Its end may be read before or after the response is complete.
        case handedOn(isRead: Bool, isAnswered: Bool)
        /// The last response has been sent.
        case closing
    }

    /// An inbound item that is queued until the current request is answered.
    enum Item {
        case part(HTTPRequestPart)
        case event(Any)
        case error(any Error)
    }

    let clicks: ClickRoutes
    let logger: Logger
    var peer: ClientAddress?
    var state = State.idle
    var backlog = CircularBuffer<Item>(initialCapacity: 1)
    var isReadPending = false
    /// Whether parts were forwarded without a following read-complete event.
    private var isDelivering = false
    /// Whether the current request is the last of its connection, as its client says.
    var isLast = false
    private var isStopping = false
    var lastWrite: EventLoopFuture<Void>?
    var context: ChannelHandlerContext?

    init(clicks: ClickRoutes, logger: Logger) {
        self.clicks = clicks
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        try? RequestHeadHandler.add(to: context.pipeline.syncOperations)
        peer = context.remoteAddress?.ipAddress.flatMap { ClientAddress($0) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        take(.part(unwrapInboundIn(data)), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isHandedOn { return context.fireErrorCaught(error) }
        take(.error(error), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handedOn = state, backlog.isEmpty || event is ChannelShouldQuiesceEvent else {
            return take(.event(event), context)
        }
        // Quiescing overtakes the backlog. The handlers behind complete their response by themselves, and streams would otherwise never
        // end. They then close the connection, so no further request may begin.
        if event is ChannelShouldQuiesceEvent { isStopping = true }
        context.fireUserInboundEventTriggered(event)
    }

    /// Back-pressure: stops reading while a pipelined request is queued.
    func read(context: ChannelHandlerContext) {
        if backlog.isEmpty { context.read() } else { isReadPending = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        drainBacklog(context)
        context.fireChannelWritabilityChanged()
    }

    func process(_ item: Item, _ context: ChannelHandlerContext) {
        switch (item, state) {
        case (.part(.head(let head)), .idle):
            if Self.mayBeVisit(head) { state = .reading(head) } else { forward(head, context) }
        case (.part(.end), .reading(let head)):
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            if visit(request, context) { return }
            forward(head, context)
            process(item, context)
        case (.part, .closing), (.error, .closing): break
        case (.part(let part), .handedOn(_, let isAnswered)):
            deliver(part, context)
            guard case .end = part else { return }
            end(.handedOn(isRead: true, isAnswered: isAnswered), context)
        // Visits with a body or without a complete end are forwarded.
        case (_, .reading(let head)):
            forward(head, context)
            process(item, context)
        case (.part(let part), .idle): deliver(part, context)
        case (.part, .answering): break
        case (.event(let event), _): context.fireUserInboundEventTriggered(event)
        case (.error(let error), _): context.fireErrorCaught(error)
        }
    }

    private func forward(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        state = .handedOn(isRead: false, isAnswered: false)
        isLast = Self.isLast(head)
        deliver(.head(head), context)
    }

    private func deliver(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        isDelivering = true
        context.fireChannelRead(wrapInboundOut(part))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard isDelivering else { return }
        isDelivering = false
        context.fireChannelReadComplete()
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .closing = state {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where (isLast || isStopping) && head.status.kind != .informational:
            head.headerFields[.connection] = "close"
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let promise = promise ?? context.eventLoop.makePromise()
            lastWrite = promise.futureResult
            context.write(data, promise: promise)
            if case .handedOn(let isRead, _) = state { end(.handedOn(isRead: isRead, isAnswered: true), context) }
        default: context.write(data, promise: promise)
        }
    }

    /// Gives the last response time to reach a slow client before the connection closes, whether this handler or one behind closes it.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input, let lastWrite else { return context.close(mode: mode, promise: promise) }
        let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.closingTime) { context.close(promise: nil) }
        lastWrite.assumeIsolated().whenComplete { _ in
            deadline.cancel()
            context.close(mode: mode, promise: promise)
        }
    }

    private static let closingTime: TimeAmount = .seconds(10)

    /// Changes the state of a forwarded request. Once it is read and answered, the next one begins.
    private func end(_ new: State, _ context: ChannelHandlerContext) {
        state = new
        guard case .handedOn(isRead: true, isAnswered: true) = new else { return }
        // After the last request no further one is answered, and Hummingbird does not read on.
        state = isLast || isStopping ? .closing : .idle
        drainBacklog(context)
    }
}
