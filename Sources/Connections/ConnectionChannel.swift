import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// A connection of the server: the handlers of ``ConnectionPipeline``, and behind them Hummingbird's loop, which answers one forwarded
/// request after the other.
package struct ConnectionChannel: HTTPChannelHandler {
    package struct Value: ServerChildChannelValue {
        let forwarding: FirstRequest.Forwarding
        /// Succeeds when a request is forwarded or the connection ends.
        let firstRequest: EventLoopFuture<Void>

        package var channel: any Channel { forwarding.channel }
    }

    package let responder: HTTPChannelHandler.Responder
    private let pipeline: ConnectionPipeline

    /// Each request is answered in a task of its own, whose memory is freed with it: the connection's task would keep the largest that a
    /// request took for as long as the connection is open.
    package init(responder: @escaping HTTPChannelHandler.Responder, pipeline: ConnectionPipeline) {
        self.responder = { [turns = pipeline.turns] request, writer, channel in
            turns.end(channel)
            let writer = HandedOver(writer)
            let answer = Task { try await responder(request, writer.take(), channel) }
            try await withTaskCancellationHandler {
                try await answer.value
            } onCancel: {
                answer.cancel()
            }
        }
        self.pipeline = pipeline
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let firstRequest = channel.eventLoop.makePromise(of: Void.self)
        return channel.eventLoop.makeCompletedFuture {
            do {
                let forwarding = FirstRequest.Forwarding(channel)
                try pipeline.add(to: channel)
                try channel.pipeline.syncOperations.addHandler(HTTPConnectionStateHandler(logger: logger))
                try channel.pipeline.syncOperations.addHandler(HeldRequests())
                try channel.pipeline.syncOperations.addHandler(pipeline.forwardingQueue())
                try channel.pipeline.syncOperations.addHandler(FirstRequest(forwarding, firstRequest))
                return Value(forwarding: forwarding, firstRequest: firstRequest.futureResult)
            } catch {
                firstRequest.succeed()
                throw error
            }
        }
    }

    package func handle(value: Value, logger: Logger) async {
        await wait(for: value)
        await answer(value, logger)
    }

    /// Waits for the first request. Not inlined, nor is what follows: a frame of ``handle(value:logger:)`` that holds both would make
    /// each waiting task a memory block larger.
    @inline(never)
    private func wait(for value: Value) async {
        await withTaskCancellationHandler {
            // It does not fail.
            try? await value.firstRequest.get()
        } onCancel: {
            value.channel.close(mode: .input, promise: nil)
        }
    }

    @inline(never)
    private func answer(_ value: Value, _ logger: Logger) async {
        guard let connection = value.forwarding.take() else { return }
        await handleHTTP(asyncChannel: connection, logger: logger)
    }
}

/// The writer of a response on its way from the connection's task to the request's.
private final class HandedOver: @unchecked Sendable {
    private var writer: ResponseWriter?

    init(_ writer: consuming ResponseWriter) {
        self.writer = consume writer
    }

    /// To be called once.
    func take() -> ResponseWriter {
        writer.take()!
    }
}
