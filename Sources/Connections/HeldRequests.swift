import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A channel handler that forwards a request once it is complete, or once a part of its body has come that is counted by ``RequestBudget``.
///
/// A request that is being handled takes some 30 KB more than what it holds of the client's bytes. A client that stops in the middle of a
/// small request therefore costs no more than those bytes, which ``ConnectionTimeouts`` counts.
final class HeldRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// The head of a request that is not forwarded yet, and what has come of its body.
    private var head: HTTPRequest?
    private var body: ByteBuffer?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let new): head = new
        case .body(var part) where head != nil:
            if body == nil { body = part } else { body?.writeBuffer(&part) }
            if let body, body.readableBytes > ConnectionLimits.uncountedBodyBytes { forward(context) }
        case .body: context.fireChannelRead(data)
        case .end:
            forward(context)
            context.fireChannelRead(data)
        }
    }

    /// If the client or a shutdown ended the connection's input, the rest of a held request does not come.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { drop() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        drop()
        context.fireErrorCaught(error)
    }

    private func forward(_ context: ChannelHandlerContext) {
        guard let head else { return }
        let body = body
        drop()
        context.fireChannelRead(wrapInboundOut(.head(head)))
        if let body { context.fireChannelRead(wrapInboundOut(.body(body))) }
    }

    private func drop() {
        head = nil
        body = nil
    }
}
