import Connections
import HTTPTypes
import LindenKernel
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// A channel handler that answers plain visits on the connection's event loop and small calls by a task, and forwards all other requests to
/// the handlers behind, from which Hummingbird reads them.
///
/// Most requests to a link server are redirects. A task, an asynchronous sequence and a router for each would cost more than the redirect
/// and its record together. Decision and recording share the code of the router's path, see ``ClickRoutes``. Next come the calls of SDKs,
/// which the router answers, see ``SmallCalls``.
///
/// Requests of one connection are answered in order: while one is being answered, here or behind this handler, further ones are queued and
/// reading stops.
final class FastPathHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// From `idle`, the head of a request leads to `reading`, `collecting` or `forwarded`. Its end leads from the first two to `answering`,
    /// or to `forwarded` where the router must answer. ``endAnswer(_:)`` and ``advance(to:_:)`` lead back to `idle`, or to `closing` after the
    /// last request of the connection.
    enum State {
        case idle
        /// The head of a possible visit has been read, but not its end.
        case reading(VisitRequest)
        /// The head of a small call has been read, but not its end.
        case collecting(SmallCall)
        /// A visit is being recorded, or a small call is being answered.
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
    let calls: SmallCalls
    let answers: AnswerBytes
    let turns: ForwardingTurns
    let rounds: LoopRounds
    let logger: Logger
    let texts: VisitTexts
    /// When the visit that is being answered was read.
    var began = NIODeadline.now()
    var peer: ClientAddress?
    var state = State.idle
    var backlog = CircularBuffer<Item>(initialCapacity: 1)
    var isReadPending = false
    /// Whether the next queued request waits for the next round of the event loop.
    private var awaitsRound = false
    /// Whether parts were forwarded without a following read-complete event.
    var owesReadComplete = false
    /// What becomes of the connection after the current request, as its client says.
    var persistence = ConnectionPersistence.persists
    var isStopping = false
    var lastWrite: EventLoopFuture<Void>?
    var context: ChannelHandlerContext?

    /// - Parameter answers: the handler of the channel that sends answers as bytes.
    /// - Parameter turns: those of requests that are answered by a task.
    /// - Parameter rounds: those of the channel's event loop.
    /// - Parameter texts: the cache of the channel's event loop.
    init(
        clicks: ClickRoutes, calls: SmallCalls, answers: AnswerBytes, turns: ForwardingTurns, rounds: LoopRounds,
        texts: VisitTexts, logger: Logger
    ) {
        self.clicks = clicks
        self.calls = calls
        self.answers = answers
        self.turns = turns
        self.rounds = rounds
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
            if let call = SmallCall(head) {
                state = .collecting(call)
            } else if let request = VisitRequest(head, texts) {
                state = .reading(request)
            } else {
                forward(head, context)
            }
        case .reading(let request):
            if case .part(.end) = item, visit(request, context) { return }
            // The router answers visits that need a look-up, have a body, or do not end.
            forward(request.head, context)
            pass(item, context)
        case .collecting(let call): collect(item, of: call, context)
        case .forwarded: pass(item, context)
        case .answering, .closing:
            if case .event = item { pass(item, context) }
        }
    }

    /// Hands an item to the handlers behind.
    func pass(_ item: Item, _ context: ChannelHandlerContext) {
        switch item {
        case .part(let part):
            deliver(part, context)
            guard case .end = part, case .forwarded(_, let isAnswered) = state else { return }
            advance(to: .forwarded(isRead: true, isAnswered: isAnswered), context)
        case .event(let event): context.fireUserInboundEventTriggered(event)
        case .error(let error): context.fireErrorCaught(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard owesReadComplete else { return }
        owesReadComplete = false
        context.fireChannelReadComplete()
    }

    // MARK: Outbound

    /// Ends an answer that was sent here. The next request begins.
    func endAnswer(_ context: ChannelHandlerContext) {
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
        var hasProcessed = false
        while let item = backlog.first, isReady(context), beginsInThisRound(item) {
            backlog.removeFirst()
            process(item, context)
            hasProcessed = true
        }
        if hasProcessed { channelReadComplete(context: context) }
        guard isReadPending, backlog.isEmpty else { return }
        isReadPending = false
        context.read()
    }

    /// Whether an inbound item may be processed without queueing.
    private func canProcess(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: backlog.isEmpty && context.channel.isWritable
        case .reading, .collecting: true
        case .forwarded(let isRead, _): !isRead && backlog.isEmpty
        case .answering: false
        case .closing: true
        }
    }

    /// Whether an item behind the end of a request belongs to the next one, which waits. Events and errors do not.
    private func beginsNextRequest(_ item: Item?) -> Bool { if case .part = item { true } else { false } }

    /// Whether a queued item may be processed in this round of the event loop, see ``LoopRounds``. Otherwise the backlog is drained further in
    /// a later one.
    private func beginsInThisRound(_ item: Item) -> Bool {
        guard case .idle = state, case .part = item else { return true }
        guard !awaitsRound else { return false }
        if rounds.begin() { return true }
        awaitsRound = true
        rounds.wait { [self] in
            awaitsRound = false
            if let context, context.channel.isActive { drainBacklog(context) }
        }
        return false
    }

    /// Whether the first queued item may be processed.
    private func isReady(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: context.channel.isWritable
        case .reading, .collecting, .closing: true
        case .forwarded(let isRead, _): !isRead || !beginsNextRequest(backlog.first)
        case .answering: false
        }
    }
}
