import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// A connection of the server: the handlers of ``ConnectionPipeline``, and behind them Hummingbird's loop, which answers one forwarded
/// request after the other.
struct ConnectionChannel: HTTPChannelHandler {
    typealias Value = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    let responder: HTTPChannelHandler.Responder
    let pipeline: ConnectionPipeline

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try pipeline.add(to: channel)
            try channel.pipeline.syncOperations.addHandler(HTTPConnectionStateHandler(logger: logger))
            return try NIOAsyncChannel(
                wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
        }
    }

    func handle(value: Value, logger: Logger) async {
        await handleHTTP(asyncChannel: value, logger: logger)
    }
}
