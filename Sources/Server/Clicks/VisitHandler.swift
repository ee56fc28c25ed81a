import Connections
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
        case forwarded(isRead: Bool, isAnswered: Bool)
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
    /// When the visit that is being answered was read.
    private var began = NIODeadline.now()
    var peer: ClientAddress?
    var state = State.idle
    var backlog = CircularBuffer<Item>(initialCapacity: 1)
    var isReadPending = false
    /// Whether parts were forwarded without a following read-complete event.
    var isDelivering = false
    /// What becomes of the connection after the current request, as its client says.
    var persistence = ConnectionPersistence.persists
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
        receive(.part(unwrapInboundIn(data)), context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isForwarded { return context.fireErrorCaught(error) }
        receive(.error(error), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .forwarded = state, backlog.isEmpty || event is ChannelShouldQuiesceEvent else {
            return receive(.event(event), context)
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
        switch state {
        case .idle:
            guard case .part(.head(let head)) = item else { return pass(item, context) }
            if let request = VisitRequest(head, texts) { state = .reading(request) } else { forward(head, context) }
        case .reading(let request):
            if case .part(.end) = item, visit(request, context) { return }
            // The router answers visits that need a look-up, have a body, or do not end.
            forward(request.head, context)
            pass(item, context)
        case .forwarded: pass(item, context)
        case .answering, .closing:
            if case .event = item { pass(item, context) }
        }
    }

    /// Hands an item to the handlers behind.
    private func pass(_ item: Item, _ context: ChannelHandlerContext) {
        switch item {
        case .part(let part):
            deliver(part, context)
            guard case .end = part, case .forwarded(_, let isAnswered) = state else { return }
            end(.forwarded(isRead: true, isAnswered: isAnswered), context)
        case .event(let event): context.fireUserInboundEventTriggered(event)
        case .error(let error): context.fireErrorCaught(error)
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
        began = .now()
        let isHandled = clicks.visit(request, from: peer, logger: logger) { answer in
            eventLoop.execute { handler.value.respond(with: answer(), to: request) }
        }
        if isHandled { state = .answering }
        return isHandled
    }

    private func respond(with answer: VisitAnswer, to request: VisitRequest) {
        switch answer {
        case .redirect(let redirect): send(redirect, to: request)
        case .ready(let answer): send(answer, to: request)
        case .page(let render, let network):
            guard let eventLoop = context?.eventLoop else { return }
            let handler = NIOLoopBound(self, eventLoop: eventLoop)
            clicks.renderer.render(for: network, render) { answer in
                eventLoop.execute { handler.value.send(answer ?? Self.refusal(of: request), to: request) }
            }
        }
    }

    private static func refusal(of request: VisitRequest) -> BufferedResponse {
        let request = request.routed
        return FailureMiddleware.answer(Failure.tooManyPages, to: request, logger: Logger(label: "linden"))
            .allowingOrigin(of: request)
    }

    /// Sends a redirect in one write, unless the client has disconnected.
    private func send(_ redirect: VisitRedirect, to request: VisitRequest) {
        guard let context, context.channel.isActive else { return }
        persistence = request.persistence
        lastWrite = answers.send(redirect.bytes(in: context.channel.allocator, at: HTTPDate.now, persistence: persistence))
        clicks.recorder.record(request, status: 302, bytes: 0, since: began)
        endVisit(context)
    }

    /// Sends the response to a visit, unless the client has disconnected.
    private func send(_ answer: BufferedResponse, to request: VisitRequest) {
        guard let context, context.channel.isActive else { return }
        persistence = request.persistence
        var headers = answer.headers
        headers[.contentLength] = String(answer.body.readableBytes)
        headers[.date] = HTTPDate.now
        headers[.connection] = persistence.header
        headers[.strictTransportSecurity] = clicks.options.strictTransport(
            forwardedScheme: request.headers.forwardedScheme, from: peer, clicks.baseURL)
        let head = HTTPResponseHead(HTTPResponse(status: answer.status, headerFields: headers))
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if answer.body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
        lastWrite = context.writeAndFlush(wrapOutboundOut(.end(nil)))
        clicks.recorder.record(request, status: answer.status.code, bytes: answer.body.readableBytes, since: began)
        endVisit(context)
    }

    private func endVisit(_ context: ChannelHandlerContext) {
        if persistence == .closes { close(context: context, mode: .output, promise: nil) }
        state = persistence == .closes ? .closing : .idle
        drainBacklog(context)
    }

    // MARK: Backlog

    var isForwarded: Bool { if case .forwarded = state { backlog.isEmpty } else { false } }

    func receive(_ item: Item, _ context: ChannelHandlerContext) {
        if canProcess(context) { process(item, context) } else { backlog.append(item) }
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
    private func canProcess(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: backlog.isEmpty && context.channel.isWritable
        case .reading: true
        case .forwarded(let isRead, _): !isRead && backlog.isEmpty
        case .answering: false
        case .closing: true
        }
    }

    /// Whether the first queued item may be processed.
    private func isReady(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: context.channel.isWritable
        case .reading, .closing: true
        case .forwarded(let isRead, _): if !isRead { true } else if case .part = backlog.first { false } else { true }
        case .answering: false
        }
    }
}
