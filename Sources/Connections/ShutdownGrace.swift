import NIOCore
import NIOHTTP1

/// A channel handler that gives a connection time for one more request when the server stops.
///
/// Without it, a connection that is just open or between two requests would be closed although the client's next request may be on its way.
/// A request within that time is the last of its connection, and its response says so. Then the event of the shutdown goes on to the
/// handlers behind, which close the connection.
final class ShutdownGrace: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let grace: TimeAmount
    private var isStopping = false
    private var end: Scheduled<Void>?

    init(grace: TimeAmount) {
        self.grace = grace
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isStopping, case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        head.headers.replaceOrAdd(name: "connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is ChannelShouldQuiesceEvent, !isStopping else { return context.fireUserInboundEventTriggered(event) }
        isStopping = true
        end = context.eventLoop.assumeIsolated().scheduleTask(in: grace) {
            context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }
}
