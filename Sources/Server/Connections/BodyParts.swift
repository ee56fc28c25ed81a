import NIOCore
import NIOHTTP1

/// A channel handler that joins the parts of a request's body that arrive in one read.
///
/// The parser makes a part of each chunk, and the handlers behind spend a microsecond or more on a part, however small it is.
final class BodyParts: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var joined: ByteBuffer?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .body(var part) = unwrapInboundIn(data) else {
            forward(context)
            return context.fireChannelRead(data)
        }
        if joined == nil { joined = part } else { joined?.writeBuffer(&part) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        forward(context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        forward(context)
        context.fireErrorCaught(error)
    }

    private func forward(_ context: ChannelHandlerContext) {
        guard let joined else { return }
        self.joined = nil
        context.fireChannelRead(wrapInboundOut(.body(joined)))
    }
}
