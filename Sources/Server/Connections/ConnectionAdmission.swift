import HTTPTypes
import Linden
import NIOCore
import NIOHTTPTypes

/// Admits a connection, refuses it, or lets it ask for nothing but the server's health, as ``ConnectionTable`` decides.
final class ConnectionAdmission: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let table: ConnectionTable
    private var address = ClientAddress.unknown
    private var admission = ConnectionTable.Admission.refused
    /// Whether the rest of a request is read and dropped, because the request was refused.
    private var isDropping = false

    init(table: ConnectionTable) {
        self.table = table
    }

    func handlerAdded(context: ChannelHandlerContext) {
        address = context.remoteAddress?.ipAddress.flatMap { ClientAddress($0) } ?? .unknown
        admission = table.enter(address)
        let channel = context.channel
        // All requests of one read are parsed before other connections have their turn. Few requests are larger.
        try? channel.syncOptions?.setOption(
            .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: ReceivedBytes.readBytes))
        try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        switch admission {
        case .admitted: break
        // A connection on which nothing is asked must not keep health checks out.
        case .reserve: context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        // Not now: the pipeline is still being built.
        case .refused: context.eventLoop.execute { channel.close(promise: nil) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        table.leave(address, admission)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard admission == .reserve else { return context.fireChannelRead(data) }
        if case .head(let head) = unwrapInboundIn(data), !Self.isForHealth(head) {
            isDropping = true
            refuse(context)
        }
        if !isDropping { context.fireChannelRead(data) }
    }

    private static func isForHealth(_ head: HTTPRequest) -> Bool {
        head.method == .get && (head.path == "/healthz" || head.path == "/readyz")
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let body = ByteBuffer(string: #"{"error":{"code":503,"message":"Too many connections are open; please try again."}}"#)
        let head = HTTPResponse(
            status: .serviceUnavailable,
            headerFields: [
                .contentType: "application/json; charset=utf-8", .contentLength: String(body.readableBytes),
                .retryAfter: "1", .connection: "close", .cacheControl: "no-store",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}
