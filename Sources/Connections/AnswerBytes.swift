import NIOCore

/// A channel handler ahead of the encoder that sends complete answers as bytes.
///
/// Most answers are redirects. Encoding one in parts, which each handler between wraps and unwraps, would cost more than the redirect itself.
/// The handlers that count answers are called instead. Answers stay in order, since the encoder holds nothing back.
package final class AnswerBytes: ChannelOutboundHandler, RemovableChannelHandler {
    package typealias OutboundIn = IOData
    package typealias OutboundOut = IOData

    private let heads: RequestHeadHandler
    private let timeouts: ConnectionTimeouts
    private let unsent: UnsentBytes
    private var context: ChannelHandlerContext?

    init(heads: RequestHeadHandler, timeouts: ConnectionTimeouts, unsent: UnsentBytes) {
        self.heads = heads
        self.timeouts = timeouts
        self.unsent = unsent
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
    }

    /// Sends a complete answer to the oldest unanswered request. Must be called on the channel's event loop.
    ///
    /// - Returns: the write; nil if the connection is closed.
    package func send(_ answer: ByteBuffer) -> EventLoopFuture<Void>? {
        guard let context else { return nil }
        unsent.didWrite(answer.readableBytes)
        timeouts.didAnswer(at: context.eventLoop.now)
        let promise = context.eventLoop.makePromise(of: Void.self)
        context.write(wrapOutboundOut(.byteBuffer(answer)), promise: promise)
        heads.didAnswer()
        context.flush()
        unsent.didFlush()
        return promise.futureResult
    }
}
