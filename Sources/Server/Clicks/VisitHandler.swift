import HTTPTypes
import LindenKernel
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A channel handler that answers plain visits on the connection's event loop, ahead of the router, and forwards all other requests to it.
///
/// Most requests to a link server are redirects. A task, an asynchronous sequence and a router for each would cost more than the redirect
/// and its record together. Decision and recording share the code of the router's path, see ``ClickRoutes``.
///
/// Requests of one connection are answered in order: while one is being answered, here or behind this handler, further ones are queued and
/// reading stops.
final class VisitHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    enum State {
        case idle
        /// The head of a possible visit has been read, but not its end.
        case reading(VisitRequest)
        /// A visit is being recorded.
        case answering
        /// The handlers behind read a request and respond to it. Its end may be read before or after the response is complete.
        case handedOn(isRead: Bool, isAnswered: Bool)
        /// The last response has been sent.
        case closing
    }

    /// An inbound item that is queued until the current request is answered.
    enum Item {
        case part(HTTPServerRequestPart)
        case event(Any)
        case error(any Error)
    }

    let clicks: ClickRoutes
    let answers: AnswerBytes
    let logger: Logger
    private let texts: VisitTexts
    var peer: ClientAddress?
    var state = State.idle
    var backlog = CircularBuffer<Item>(initialCapacity: 1)
    var isReadPending = false
    /// Whether parts were forwarded without a following read-complete event.
    var isDelivering = false
    /// Whether the current request is the last of its connection, as its client says.
    var isLast = false
    var isStopping = false
    var lastWrite: EventLoopFuture<Void>?
    var context: ChannelHandlerContext?

    /// - Parameter answers: the handler of the channel that sends redirects as bytes.
    /// - Parameter texts: the cache of the channel's event loop.
    init(clicks: ClickRoutes, answers: AnswerBytes, texts: VisitTexts, logger: Logger) {
        self.clicks = clicks
        self.answers = answers
        self.texts = texts
        self.logger = logger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
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
            if let request = VisitRequest(head, texts) { state = .reading(request) } else { forward(head, context) }
        case (.part(.end), .reading(let request)):
            if visit(request, context) { return }
            forward(request.head, context)
            process(item, context)
        case (.part, .closing), (.error, .closing): break
        case (.part(let part), .handedOn(_, let isAnswered)):
            deliver(part, context)
            guard case .end = part else { return }
            end(.handedOn(isRead: true, isAnswered: isAnswered), context)
        // Visits with a body or without a complete end are forwarded.
        case (_, .reading(let request)):
            forward(request.head, context)
            process(item, context)
        case (.part(let part), .idle): deliver(part, context)
        case (.part, .answering): break
        case (.event(let event), _): context.fireUserInboundEventTriggered(event)
        case (.error(let error), _): context.fireErrorCaught(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard isDelivering else { return }
        isDelivering = false
        context.fireChannelReadComplete()
    }

    // MARK: Visits

    func visit(_ request: VisitRequest, _ context: ChannelHandlerContext) -> Bool {
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let isTaken = clicks.visit(request, from: peer, logger: logger) { answer in
            eventLoop.execute {
                switch answer() {
                case .redirect(let redirect): handler.value.send(redirect, to: request)
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

    private static func refusal(of request: VisitRequest) -> BufferedResponse {
        let request = request.routed
        return FailureMiddleware.answer(Failure.tooManyPages, to: request, logger: Logger(label: "linden"))
            .allowingOrigin(of: request)
    }

    /// Sends a redirect in one write, unless the client has disconnected.
    private func send(_ redirect: VisitRedirect, to request: VisitRequest) {
        guard let context, context.channel.isActive else { return }
        isLast = request.isLast
        lastWrite = answers.send(redirect.bytes(in: context.channel.allocator, at: HTTPDate.now, isLast: isLast))
        endVisit(context)
    }

    /// Sends the response to a visit, unless the client has disconnected.
    private func send(_ answer: BufferedResponse, to request: VisitRequest) {
        guard let context, context.channel.isActive else { return }
        isLast = request.isLast
        var headers = answer.headers
        headers[.contentLength] = String(answer.body.readableBytes)
        headers[.date] = HTTPDate.now
        if isLast { headers[.connection] = "close" }
        let head = HTTPResponseHead(HTTPResponse(status: answer.status, headerFields: headers))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
        lastWrite = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        endVisit(context)
    }

    private func endVisit(_ context: ChannelHandlerContext) {
        if isLast { close(context: context, mode: .output, promise: nil) }
        state = isLast ? .closing : .idle
        drainBacklog(context)
    }

    // MARK: Backlog

    var isHandedOn: Bool { if case .handedOn = state { backlog.isEmpty } else { false } }

    func take(_ item: Item, _ context: ChannelHandlerContext) {
        if canTake(context) { process(item, context) } else { backlog.append(item) }
    }

    func drainBacklog(_ context: ChannelHandlerContext) {
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

    /// Whether an inbound item may be processed without queueing.
    private func canTake(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: backlog.isEmpty && context.channel.isWritable
        case .reading: true
        case .handedOn(let isRead, _): !isRead && backlog.isEmpty
        case .answering: false
        case .closing: true
        }
    }

    /// Whether the first queued item may be processed.
    private func isReady(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: context.channel.isWritable
        case .reading, .closing: true
        case .handedOn(let isRead, _): if !isRead { true } else if case .part = backlog.first { false } else { true }
        case .answering: false
        }
    }
}
