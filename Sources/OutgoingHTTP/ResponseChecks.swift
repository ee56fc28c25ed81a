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
                let received = ReceivedLength(limit: limit)
                try pipeline.addHandler(EncryptedLength(of: received), position: .first)
                try pipeline.addHandler(received, position: .before(decoder))
                try pipeline.addHandler(ResponseHeads(), position: .after(decoder))
            }
        }
    }
}

/// Ends a connection that receives much more than it decrypts: TLS has messages without content, such as tickets for later sessions, and
/// sets no limit to them.
private final class EncryptedLength: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let mostExcess = 64 << 10

    private let decrypted: ReceivedLength
    private var received = 0

    init(of decrypted: ReceivedLength) {
        self.decrypted = decrypted
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received += unwrapInboundIn(data).readableBytes
        context.fireChannelRead(data)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // A record adds at least 22 bytes, which is less than a quarter except where records are tiny.
        guard received - decrypted.received > Self.mostExcess + decrypted.received / 4 else { return }
        context.fireErrorCaught(FetchError.unreachable)
        context.close(promise: nil)
    }
}

/// Ends a connection that receives more bytes than a body of the limit can take with its head and chunks: without it, heads that only
/// inform, extensions of chunks and blank lines would have no limit.
private final class ReceivedLength: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let headBytes = 256 << 10

    private let limit: Int
    private let most: Int
    private(set) var received = 0

    init(limit: Int) {
        self.limit = limit
        // A chunk of a byte takes five more. Bodies in such chunks are refused by their number of parts.
        most = Self.headBytes + 2 * limit
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard received <= most else { return }
        received += unwrapInboundIn(data).readableBytes
        guard received > most else { return context.fireChannelRead(data) }
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
