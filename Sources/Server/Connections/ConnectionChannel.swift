import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// A connection of the server: the handlers of ``ConnectionPipeline``, and behind them Hummingbird's loop, which answers one forwarded
/// request after the other.
struct ConnectionChannel: HTTPChannelHandler {
    struct Value: ServerChildChannelValue {
        let connection: NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>
        /// Succeeds when a request is forwarded or the connection ends.
        let firstRequest: EventLoopFuture<Void>

        var channel: any Channel { connection.channel }
    }

    let responder: HTTPChannelHandler.Responder
    let pipeline: ConnectionPipeline

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let firstRequest = channel.eventLoop.makePromise(of: Void.self)
        return channel.eventLoop.makeCompletedFuture {
            do {
                try pipeline.add(to: channel)
                try channel.pipeline.syncOperations.addHandler(HTTPConnectionStateHandler(logger: logger))
                try channel.pipeline.syncOperations.addHandler(FirstRequest(firstRequest))
                let connection = try NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>(
                    wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true))
                return Value(connection: connection, firstRequest: firstRequest.futureResult)
            } catch {
                firstRequest.succeed()
                throw error
            }
        }
    }

    func handle(value: Value, logger: Logger) async {
        await withTaskCancellationHandler {
            // It does not fail.
            try? await value.firstRequest.get()
        } onCancel: {
            value.channel.close(mode: .input, promise: nil)
        }
        await handleHTTP(asyncChannel: value.connection, logger: logger)
    }
}
