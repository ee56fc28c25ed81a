import NIOCore
import NIOHTTP1

/// A channel handler that joins the parts of a request's body that arrive in one read, and closes connections whose bodies come in countless
/// tiny chunks.
///
/// The parser makes a part of each chunk, and the handlers behind spend a microsecond or more on a part, however small it is. The parser
/// itself takes half a microsecond for each, and no client needs chunks that small.
final class BodyParts: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    /// After this many parts, without the first of each body, their average size must be ``leastMean`` bytes: chunks of 64 bytes have that,
    /// though some are divided where a read ends.
    private static let freeParts = 1000
    private static let leastMean = 48

    private var joined: ByteBuffer?
    /// The parts of all bodies of the connection but the first of each, and their bytes. Most bodies have one part, however small.
    private var (parts, bytes) = (0, 0)
    private var isInBody = false
    private var isClosed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        guard case .body(var part) = unwrapInboundIn(data) else {
            isInBody = false
            forward(context)
            return context.fireChannelRead(data)
        }
        if isInBody {
            parts += 1
            bytes += part.readableBytes
        }
        isInBody = true
        guard parts < Self.freeParts || bytes >= parts * Self.leastMean else {
            isClosed = true
            return context.close(promise: nil)
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
