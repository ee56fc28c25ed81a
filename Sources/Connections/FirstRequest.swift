import NIOCore
import NIOHTTPTypes
import Synchronization

/// A channel handler that connects Hummingbird's loop once it has something to do: a request is forwarded to it, or the connection's input
/// ends. The suspended loop and its channel handler take some 5 KB, which connections that only wait, or whose requests are all visits, do
/// without.
final class FirstRequest: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias Connection = NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>

    /// Hummingbird's side of a connection, once the loop is connected.
    ///
    /// Beside the promise rather than its value, which would need more memory in the waiting task.
    final class Forwarding: Sendable {
        let channel: any Channel
        private let connection = Mutex<Connection?>(nil)

        init(_ channel: any Channel) {
            self.channel = channel
        }

        /// Returns the connection, for one caller; nil if it ended without a request.
        func take() -> Connection? { connection.withLock { $0.take() } }

        fileprivate func begin(_ new: Connection) { connection.withLock { $0 = new } }
    }

    private let forwarding: Forwarding
    private let promise: EventLoopPromise<Void>
    private var isAwaited = true

    /// - Parameter promise: succeeds at the first event, or when the connection ends.
    init(_ forwarding: Forwarding, _ promise: EventLoopPromise<Void>) {
        self.forwarding = forwarding
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connect(context)
        context.fireChannelRead(data)
    }

    /// The client or a shutdown ended the connection's input.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        connect(context)
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connect(context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        tell()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        tell()
    }

    /// Adds the loop's handler behind this one, so that it receives the event that called for it.
    private func connect(_ context: ChannelHandlerContext) {
        guard isAwaited else { return }
        do {
            forwarding.begin(
                try Connection(
                    wrappingChannelSynchronously: context.channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
            tell()
        } catch {
            context.close(promise: nil)
        }
    }

    private func tell() {
        guard isAwaited else { return }
        isAwaited = false
        promise.succeed()
    }
}
