import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Says `Connection: close` in the words that are looked for behind it, whatever the client's: a client of HTTP/1.0 means it without
/// saying so, and others write it in capitals or among other words.
final class KeepAliveHeader: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Puts one where the version of HTTP is still known.
    static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
        try pipeline.addHandler(KeepAliveHeader(), position: .before(codec))
    }
}
