import NIOCore
import NIOHTTP1

/// A channel handler that admits a connection, refuses it, or restricts it to health checks, as ``ConnectionTable`` decides.
final class ConnectionAdmission: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let table: ConnectionTable
    private let connection: OpenConnection
    private var admission = ConnectionTable.Admission.refused
    /// Whether the remaining parts of a refused request are dropped.
    private var isDropping = false

    init(table: ConnectionTable, connection: OpenConnection) {
        self.table = table
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) {
        admission = table.enter(connection, at: context.eventLoop.now)
        let channel = context.channel
        // The requests of one read are all parsed before other connections get their turn.
        try? channel.syncOptions?.setOption(.recvAllocator, value: ReadBuffers())
        try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        switch admission {
        case .admitted: break
        // An idle connection in the reserve must not block health checks.
        case .reserve: context.eventLoop.scheduleTask(in: .seconds(2)) { channel.close(promise: nil) }
        // Deferred, because the pipeline is still being set up.
        case .refused: context.eventLoop.execute { channel.close(promise: nil) }
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        table.leave(connection, admission)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard admission == .reserve else { return context.fireChannelRead(data) }
        if case .head(let head) = unwrapInboundIn(data), !head.isHealthCheck {
            isDropping = true
            refuse(context)
        }
        if !isDropping { context.fireChannelRead(data) }
    }

    private func refuse(_ context: ChannelHandlerContext) {
        let body = ByteBuffer(string: #"{"error":{"code":503,"message":"Too many connections are open; please try again."}}"#)
        let head = HTTPResponseHead(
            version: .http1_1, status: .serviceUnavailable,
            headers: [
                "Content-Type": "application/json; charset=utf-8", "Content-Length": String(body.readableBytes),
                "Retry-After": "1", "Connection": "close", "Cache-Control": "no-store",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}

extension HTTPRequestHead {
    /// Whether the request asks for the health of the server.
    package var isHealthCheck: Bool { method == .GET && (uri == "/healthz" || uri == "/readyz") }
}
