import LindenKernel
import NIOCore
import NIOHTTP1

/// A channel handler that closes connections whose client does not complete its headers or request in time or which are idle, and that
/// limits the memory of unfinished requests on all connections.
///
/// Hummingbird's own idle timeout is suspended while a request is being read, so a client that stops in the middle of a body would hold its
/// connection, and a shutdown, forever. It also does not see requests that are answered ahead of it.
final class ConnectionTimeouts: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Returns a visitor's address by the headers of its request and the address of its connection.
    typealias FindVisitor = (HTTPHeaders, ClientAddress) -> ClientAddress

    /// What is known of the request that is being read.
    private struct Reading {
        /// Its headers, until they are asked for their cost and for the visitor.
        var headers: HTTPHeaders?
        /// Whether its head was read.
        var hasHead = false
        var bytes = 0
        /// The memory that its parsed headers, and trailers that may follow, take beside their text. That of incomplete headers goes by lines.
        var headerCost = 0
        /// Whether it has already been answered. The rest of it is then read and dropped.
        var isAnswered = false
        /// Whether it is in the budget.
        var isCounted = false
    }

    private let headerTimeout: TimeAmount
    private let requestTimeout: TimeAmount
    private let idleTimeout: TimeAmount
    /// Requests whose head was read and whose response is not complete, with the one that is being read.
    private var unanswered = 0
    private var lastActive = NIODeadline.distantPast
    private let unfinished: RequestBudget
    private let exempt: [Network]
    private let visitor: FindVisitor
    private let connection: OpenConnection
    /// Whether the peer stands for many visitors.
    private let isExempt: Bool
    /// The key of the budget. Nil for an exempt peer until a request's headers name the visitor.
    private var client: ClientNetwork?
    private var reading = Reading()
    /// Whether the request being read, or read last, is the last of its connection.
    private var isLast = false
    private let bytes: ReceivedBytes
    private var headerDeadline: Scheduled<Void>?
    private var requestDeadline: Scheduled<Void>?
    private var idleDeadline: Scheduled<Void>?

    /// - Parameter connection: learns here whether it is in use.
    /// - Parameter bytes: the handler that counts received bytes. It is added to the pipeline as its first handler.
    /// - Parameter unfinished: the budget of bytes of incomplete requests on all connections. Requests that arrive in one read are not
    ///   counted, and large bodies have a budget of their own.
    /// - Parameter exempt: networks whose addresses stand for many visitors, such as proxies. The bytes of a request are counted for the
    ///   visitor that a trusted proxy forwards, once the headers have arrived.
    /// - Parameter visitor: finds the visitor of a request.
    init(
        _ connection: OpenConnection, bytes: ReceivedBytes, header: TimeAmount, request: TimeAmount, idle: TimeAmount,
        unfinished: RequestBudget, exempt: [Network], visitor: @escaping FindVisitor
    ) {
        self.connection = connection
        self.bytes = bytes
        self.exempt = exempt
        isExempt = exempt.contains { $0.contains(connection.address) }
        client = isExempt ? nil : ClientNetwork(connection.address)
        self.visitor = visitor
        self.unfinished = unfinished
        headerTimeout = header
        requestTimeout = request
        idleTimeout = idle
    }

    func handlerAdded(context: ChannelHandlerContext) {
        lastActive = context.eventLoop.now
        scheduleIdleCheck(idleTimeout, context)
        bytes.observe = { [self] bytes in
            reading.bytes += bytes.readableBytes
            if !reading.hasHead { reading.headerCost += Self.costPerHeader * bytes.lineCount }
        }
        do {
            try context.pipeline.syncOperations.addHandler(bytes, position: .first)
        } catch {
            // Without it, the bytes of a request have no limit.
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        endRequest()
        idleDeadline?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            endHead()
            reading.headers = head.headers
            isLast = !head.isKeepAlive
            reading.hasHead = true
            unanswered += 1
        case .body: break
        case .end:
            endRequest()
            bytes.expected = .head
            if unanswered > 0 { connection.use() }
            // The parser keeps what follows a request for another protocol.
            if isLast { bytes.drop() }
        }
        context.fireChannelRead(data)
    }

    /// Sets the deadlines of an incomplete request. Most requests arrive in one read and need none.
    func channelReadComplete(context: ChannelHandlerContext) {
        if reading.hasHead {
            // Before the first bytes of the body.
            readHeaders()
            if requestDeadline == nil { setRequestDeadline(context) }
        }
        if reading.bytes > 0 || bytes.waitingBytes > 0 { didReadIncompleteRequest(context) }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        didAnswer(at: context.eventLoop.now)
        guard reading.isAnswered else { return context.write(data, promise: promise) }
        let promise = promise ?? context.eventLoop.makePromise()
        bytes.endInput(after: promise.futureResult)
        context.write(data, promise: promise)
    }

    /// Counts a complete response.
    func didAnswer(at now: NIODeadline) {
        // Responses to invalid input have no counted request.
        unanswered = max(0, unanswered - 1)
        if reading.hasHead, unanswered == 0 {
            reading.isAnswered = true
            giveBack()
        }
        lastActive = now
        updateIdleState(at: now)
    }

    /// Notes that the connection has no complete request to answer.
    private func updateIdleState(at now: NIODeadline) {
        if unanswered <= (reading.hasHead ? 1 : 0) { connection.wait(since: now) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        endRequest()
        idleDeadline?.cancel()
        context.fireChannelInactive()
    }

    private func didReadIncompleteRequest(_ context: ChannelHandlerContext) {
        if headerDeadline == nil, !reading.hasHead, unanswered == 0 {
            headerDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: headerTimeout) { context.close(promise: nil) }
        }
        readHeaders()
        guard !bytes.isEnded, !reading.isAnswered else { return }
        let (id, now) = (ObjectIdentifier(self), context.eventLoop.now)
        if !reading.isCounted {
            reading.isCounted = true
            updateIdleState(at: now)
            unfinished.enter(id, of: client, at: now) { [channel = context.channel] in channel.close(promise: nil) }
        }
        // What waits after the client's end of the connection is no body that has a budget: it may be thousands of requests.
        let held = max(min(reading.bytes + reading.headerCost, Self.mostHeldBytes) + bytes.waitingBytes, bytes.queueBytes)
        if !unfinished.hold(held, by: id, isComplete: false, at: now) { bytes.drop(reporting: RequestBudgetExceeded()) }
    }

    /// Reads once what the headers of an unfinished request say: its body, their cost, and an exempt peer's visitor, for whom it is counted
    /// from now on. Most requests arrive in one read, and their headers are not read here at all.
    private func readHeaders() {
        guard let headers = reading.headers else { return }
        reading.headers = nil
        bytes.expected = .body(headers)
        reading.headerCost = Self.costPerHeader * headers.count
        if headers.contains(name: "transfer-encoding") { reading.headerCost += Self.trailerCost }
        guard isExempt else { return }
        // Before the client changes, for whom they were counted.
        giveBack()
        let visitor = visitor(headers, connection.address)
        client = exempt.contains { $0.contains(visitor) } ? nil : ClientNetwork(visitor)
    }

    /// Measured with 195 headers: some 90 bytes each for names and values of a letter or two, 350 for those of 16.
    private static let costPerHeader = 256
    /// The memory of the trailers that may follow chunks.
    private static let trailerCost = 20 << 10

    /// All headers, and the part of a body that is not counted.
    private static let mostHeldBytes = ConnectionLimits.headerListBytes + ConnectionLimits.uncountedBodyBytes

    private func endHead() {
        headerDeadline?.cancel()
        headerDeadline = nil
    }

    private func endRequest() {
        endHead()
        giveBack()
        reading = Reading()
        if isExempt { client = nil }
        requestDeadline?.cancel()
        requestDeadline = nil
    }

    private func giveBack() {
        guard reading.isCounted else { return }
        reading.isCounted = false
        unfinished.leave(ObjectIdentifier(self))
    }

    /// Schedules the deadline for the end of a request. A pipelined request is not read to its end before its turn, so its deadline is
    /// extended until then.
    private func setRequestDeadline(_ context: ChannelHandlerContext) {
        requestDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: requestTimeout) { [self] in
            if unanswered > 1 { setRequestDeadline(context) } else { context.close(promise: nil) }
        }
    }

    /// Schedules the idle check: one task per connection, independent of its number of requests.
    private func scheduleIdleCheck(_ time: TimeAmount, _ context: ChannelHandlerContext) {
        idleDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            let idle = context.eventLoop.now - lastActive
            guard unanswered == 0 else { return scheduleIdleCheck(idleTimeout, context) }
            guard idle >= idleTimeout else { return scheduleIdleCheck(idleTimeout - idle, context) }
            context.close(promise: nil)
        }
    }
}

extension ReceivedBytes.Expected {
    fileprivate static func body(_ headers: HTTPHeaders) -> Self {
        if headers.contains(name: "transfer-encoding") { return .chunks }
        return .body(headers.first(name: "content-length").flatMap { Int($0) } ?? 0)
    }
}

/// The error of a request whose first bytes do not fit in the budget of unfinished requests.
struct RequestBudgetExceeded: Error {}
