import LindenKernel
import NIOCore
import NIOTLS

/// A channel handler that begins TLS with a connection's first bytes, and closes a connection whose handshake is not complete in time.
///
/// The state of TLS takes some 20 KB and a handshake a millisecond of CPU, which connections that send nothing, or are refused, do not cost. Each
/// address and network may begin some handshakes a second, and an event loop a few in each of its rounds, so that those which arrive together do
/// not keep other connections waiting. The number of connections bounds their memory; a budget of it would let those who fill it lock others out.
final class TLSStart: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private enum State {
        case idle
        /// The handshake waits for its turn, with what the client has sent of it.
        case waiting(ByteBuffer)
        case begun
    }

    /// The most bytes that a client sends before it is answered.
    private static let mostWaitingBytes = 32 << 10

    private let makeHandler: () -> any ChannelHandler
    private let timeout: TimeAmount
    /// Nil for an address that stands for many clients.
    private let site: UInt64?
    /// Whether the peer may begin a handshake now.
    private let admits: () -> Bool
    private var deadline: Scheduled<Void>?
    private var state = State.idle

    /// - Parameter makeHandler: makes the handler of the connection's TLS.
    init(
        timeout: TimeAmount, site: UInt64?, admits: @escaping () -> Bool, makeHandler: @escaping () -> any ChannelHandler
    ) {
        self.makeHandler = makeHandler
        self.timeout = timeout
        self.site = site
        self.admits = admits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .begun: context.fireChannelRead(data)
        case .waiting(var received):
            var more = unwrapInboundIn(data)
            // Otherwise the state's reference would make it copy all that it holds.
            state = .waiting(more)
            received.writeBuffer(&more)
            guard received.readableBytes <= Self.mostWaitingBytes else { return context.close(promise: nil) }
            state = .waiting(received)
        case .idle:
            guard admits() else { return context.close(promise: nil) }
            state = .waiting(unwrapInboundIn(data))
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
            LoopRounds.of(context.eventLoop).beginHandshake(of: site) { self.begin(context) }
        }
    }

    /// Returns false if the connection is closed.
    private func begin(_ context: ChannelHandlerContext) -> Bool {
        guard case .waiting(let received) = state, context.channel.isActive else { return false }
        state = .begun
        do {
            try context.pipeline.syncOperations.addHandler(makeHandler(), position: .before(self))
            // From the first handler on, which is that of TLS now.
            context.pipeline.fireChannelRead(received)
            context.pipeline.fireChannelReadComplete()
        } catch {
            context.close(promise: nil)
        }
        return true
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { end() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    private func end() {
        deadline?.cancel()
        deadline = nil
    }
}
