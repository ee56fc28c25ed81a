import AsyncHTTPClient
import NIOCore
import NIOHTTP1

extension HTTPClient.Configuration {
    /// Lets connections end with an error when a server answers with what AsyncHTTPClient cannot take, or with more than a response needs.
    ///
    /// - Parameter limit: the maximum length of the response's body, in bytes.
    mutating func checkResponses(limit: Int) {
        // Called when the handlers of a connection are in place and before its first request.
        http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                try pipeline.addHandler(ReceivedLength(limit: limit), position: .before(decoder))
                try pipeline.addHandler(ResponseHeads(), position: .after(decoder))
            }
        }
    }
}

/// Ends a connection that receives more bytes than a body of the limit can take with its head and chunks: without it, heads that only
/// inform, extensions of chunks and blank lines would have no limit.
private final class ReceivedLength: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let headBytes = 256 << 10

    private let limit: Int
    private var left: Int

    init(limit: Int) {
        self.limit = limit
        // A chunk of a byte takes five more. Bodies in such chunks are refused by their number of parts.
        left = Self.headBytes + 2 * limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard left >= 0 else { return }
        left -= unwrapInboundIn(data).readableBytes
        guard left < 0 else { return context.fireChannelRead(data) }
        context.fireErrorCaught(FetchError.tooLarge(limit: limit))
        context.close(promise: nil)
    }
}

/// Ends a connection on which a response begins with a status that does not exist, or with very many heads that only inform.
///
/// HTTP has the statuses from 100. AsyncHTTPClient ignores the head of a lower one and traps at the body or end that follows it.
private final class ResponseHeads: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private static let mostHeads = 10

    private var heads = 0
    private var isRefused = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        if case .head(let head) = unwrapInboundIn(data) {
            heads += 1
            isRefused = head.status.code < 100 || heads > Self.mostHeads
        }
        guard isRefused else { return context.fireChannelRead(data) }
        context.fireErrorCaught(FetchError.unreachable)
        context.close(promise: nil)
    }
}
