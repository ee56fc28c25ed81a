import NIOCore
import NIOHTTP1

/// Requests that the handlers behind answer, and what is common to all responses: their order and the end of the connection.
extension FastPathHandler {
    // MARK: Inbound

    func forward(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        state = .forwarded(isRead: false, isAnswered: false)
        persistence = ConnectionPersistence(after: head)
        deliver(.head(head), context)
    }

    func deliver(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        owesReadComplete = true
        context.fireChannelRead(wrapInboundOut(part))
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .closing = state {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            // The rest of the request may take as long as its client likes, see `ReceivedBytes.endInput(after:)`.
            if case .forwarded(isRead: false, _) = state { persistence = .closes }
            let persistence = isStopping ? .closes : persistence
            guard let connection = persistence.header else { return context.write(data, promise: promise) }
            head.headers.replaceOrAdd(name: "Connection", value: connection)
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            let promise = promise ?? context.eventLoop.makePromise()
            lastWrite = promise.futureResult
            context.write(data, promise: promise)
            if case .forwarded(let isRead, _) = state { advance(to: .forwarded(isRead: isRead, isAnswered: true), context) }
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
    func advance(to new: State, _ context: ChannelHandlerContext) {
        state = new
        guard case .forwarded(isRead: true, isAnswered: true) = new else { return }
        // After the last request no further one is answered, and Hummingbird does not read on.
        state = persistence == .closes || isStopping ? .closing : .idle
        drainBacklog(context)
    }
}
