import HTTPTypes
import Hummingbird
import HummingbirdCore
import Linden
import Logging
import NIOCore
import NIOHTTPTypes

/// Answers plain visits to links on the connection's own event loop, ahead of the router, and hands everything else on to it.
///
/// Most of what a link's server does is to redirect, and a task, an asynchronous sequence and a router for each would cost more than the
/// redirect and its record together. What is decided and recorded is the same code, see ``ClickRoutes``.
///
/// Requests of one connection are answered one after the other: what comes while one is being answered, here or behind, waits, and then no
/// more is read.
final class VisitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum State {
        case idle
        /// The head of what may be a visit has been read, and its end has not.
        case reading(HTTPRequest)
        /// A visit is being recorded.
        case answering
        /// Behind this handler somebody reads a request and answers it, in whatever order.
        case handedOn(isRead: Bool, isAnswered: Bool)
        /// The last answer has been given.
        case closing
    }

    /// What waits for its turn.
    private enum Item {
        case part(HTTPRequestPart)
        case event(Any)
        case error(any Error)
    }

    private let clicks: ClickRoutes
    private let logger: Logger
    private var peer: ClientAddress?
    private var state = State.idle
    private var backlog = CircularBuffer<Item>()
    private var isReadPending = false
    /// Whether parts were handed on that nobody was told the end of.
    private var isDelivering = false
    /// Whether the request that is being answered is the last of its connection: as its client says, or as the server does that stops.
    private var isLast = false
    private var isStopping = false
    private var lastWrite: EventLoopFuture<Void>?
    private var context: ChannelHandlerContext?

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

    // MARK: What comes in

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
        // Whoever answers behind this handler ends as it sees fit, and streams would never end otherwise. Then it closes the connection, and
        // nothing must be begun that could not be answered.
        if event is ChannelShouldQuiesceEvent { isStopping = true }
        context.fireUserInboundEventTriggered(event)
    }

    /// Nobody is read from who has sent the next request already and was not answered yet.
    func read(context: ChannelHandlerContext) {
        if backlog.isEmpty { context.read() } else { isReadPending = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        goOn(context)
        context.fireChannelWritabilityChanged()
    }

    private var isHandedOn: Bool { if case .handedOn = state { backlog.isEmpty } else { false } }

    /// Whether a request may begin, or go on.
    private func canTake(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: backlog.isEmpty && context.channel.isWritable
        case .reading: true
        case .handedOn(let isRead, _): !isRead && backlog.isEmpty
        case .answering: false
        case .closing: true
        }
    }

    private func take(_ item: Item, _ context: ChannelHandlerContext) {
        if canTake(context) { process(item, context) } else { backlog.append(item) }
    }

    private func process(_ item: Item, _ context: ChannelHandlerContext) {
        switch (item, state) {
        case (.part(.head(let head)), .idle):
            if Self.mayBeVisit(head) { state = .reading(head) } else { handOn(head, context) }
        case (.part(.end), .reading(let head)):
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            if visit(request, context) { return }
            handOn(head, context)
            process(item, context)
        case (.part, .closing), (.error, .closing): break
        case (.part(let part), .handedOn(_, let isAnswered)):
            deliver(part, context)
            guard case .end = part else { return }
            end(.handedOn(isRead: true, isAnswered: isAnswered), context)
        // A visit with a body, or one that ends in the middle, is somebody else's.
        case (_, .reading(let head)):
            handOn(head, context)
            process(item, context)
        case (.part(let part), .idle): deliver(part, context)
        case (.part, .answering): break
        case (.event(let event), _): context.fireUserInboundEventTriggered(event)
        case (.error(let error), _): context.fireErrorCaught(error)
        }
    }

    private func handOn(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
        state = .handedOn(isRead: false, isAnswered: false)
        isLast = Self.isLast(head)
        deliver(.head(head), context)
    }

    /// A body, or what depends on one, is somebody else's.
    private static func mayBeVisit(_ head: HTTPRequest) -> Bool {
        head.method == .get && head.headerFields[.contentLength] == nil && head.headerFields[.transferEncoding] == nil
            && head.headerFields[.expect] == nil
    }

    /// In the words of ``RequestHeadHandler``.
    private static func isLast(_ head: HTTPRequest) -> Bool { head.headerFields[.connection] == "close" }

    private func deliver(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
        isDelivering = true
        context.fireChannelRead(wrapInboundOut(part))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard isDelivering else { return }
        isDelivering = false
        context.fireChannelReadComplete()
    }

    // MARK: What goes out

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

    /// Whoever closes, here or behind, gives the last answer time to reach a slow client.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode != .input, let lastWrite else { return context.close(mode: mode, promise: promise) }
        let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.closingTime) { context.close(promise: nil) }
        lastWrite.assumeIsolated().whenComplete { _ in
            deadline.cancel()
            context.close(mode: mode, promise: promise)
        }
    }

    private static let closingTime: TimeAmount = .seconds(10)

    /// A request that is read and answered makes room for the next.
    private func end(_ new: State, _ context: ChannelHandlerContext) {
        state = new
        guard case .handedOn(isRead: true, isAnswered: true) = new else { return }
        // Who asked for the end of the connection is not answered again, and Hummingbird does not read on.
        state = isLast || isStopping ? .closing : .idle
        goOn(context)
    }

    private func goOn(_ context: ChannelHandlerContext) {
        var isLate = false
        while let item = backlog.first, isReady(context) {
            backlog.removeFirst()
            process(item, context)
            isLate = true
        }
        if isLate { channelReadComplete(context: context) }
        guard isReadPending, backlog.isEmpty else { return }
        isReadPending = false
        context.read()
    }

    /// Whether what has waited longest may be taken.
    private func isReady(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: context.channel.isWritable
        case .reading, .closing: true
        case .handedOn(let isRead, _): if !isRead { true } else if case .part = backlog.first { false } else { true }
        case .answering: false
        }
    }

    // MARK: Visits

    private func visit(_ request: Request, _ context: ChannelHandlerContext) -> Bool {
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let isTaken = clicks.visit(request, from: peer, logger: logger) { answer in
            eventLoop.execute {
                switch answer() {
                case .ready(let answer): handler.value.send(answer, to: request)
                case .page(let render, let network):
                    let isTaken = PageRenderer.shared.render(for: network, render) { answer in
                        eventLoop.execute { handler.value.send(answer, to: request) }
                    }
                    if !isTaken { handler.value.send(Self.refusal(of: request), to: request) }
                }
            }
        }
        if isTaken { state = .answering }
        return isTaken
    }

    private static func refusal(of request: Request) -> Answer {
        FailureMiddleware.answer(Failure.tooManyPages, to: request, logger: Logger(label: "linden")).allowingOrigin(of: request)
    }

    /// Sends the answer to a visit, unless its client has left meanwhile.
    private func send(_ answer: Answer, to request: Request) {
        guard let context, context.channel.isActive else { return }
        isLast = Self.isLast(request.head)
        var headers = answer.headers
        headers[.contentLength] = String(answer.body.readableBytes)
        headers[.date] = HTTPDate.now
        if isLast { headers[.connection] = "close" }
        context.write(
            wrapOutboundOut(.head(HTTPResponse(status: answer.status, headerFields: headers))), promise: nil)
        if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(answer.body)), promise: nil) }
        lastWrite = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        if isLast { close(context: context, mode: .output, promise: nil) }
        state = isLast ? .closing : .idle
        goOn(context)
    }
}
