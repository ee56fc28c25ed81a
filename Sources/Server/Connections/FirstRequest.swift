import NIOCore
import NIOHTTPTypes

/// A channel handler that tells when Hummingbird's loop has something to do: a request is forwarded to it, or the connection ends. The
/// suspended loop takes about 4 KB, which connections that only wait, or whose requests are all visits, do without.
final class FirstRequest: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart

    private let promise: EventLoopPromise<Void>
    private var isAwaited = true

    /// - Parameter promise: succeeds at the first event.
    init(_ promise: EventLoopPromise<Void>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        tell()
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        tell()
        context.fireChannelInactive()
    }

    /// The client or a shutdown ended the connection's input.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        tell()
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        tell()
        context.fireErrorCaught(error)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        tell()
    }

    private func tell() {
        guard isAwaited else { return }
        isAwaited = false
        promise.succeed()
    }
}
