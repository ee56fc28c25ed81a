import LindenKernel
import LindenServices
import NIOCore
import NIOSSL
import NIOTLS

/// A channel handler that begins TLS with a connection's first bytes, and closes a connection whose handshake is not complete in time.
///
/// The state of TLS takes some 20 KB and a handshake a millisecond of CPU, which connections that send nothing, or are refused, do not cost. A
/// handshake counts in the budget of unfinished requests; each address and network may begin some of them a second.
final class TLSStart: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The most that a handshake holds: the state of TLS, and a message of which the end is missing.
    private static let handshakeBytes = 48 << 10

    private let certificate: TLSCertificate
    private let timeout: TimeAmount
    private let unfinished: RequestBudget
    private let client: ClientNetwork?
    /// Whether the peer may begin a handshake now.
    private let admits: () -> Bool
    private var deadline: Scheduled<Void>?
    private var hasBegun = false

    /// - Parameters:
    ///   - unfinished: the budget in which a handshake counts until it is complete.
    ///   - client: nil for a peer that stands for many clients.
    init(
        _ certificate: TLSCertificate, timeout: TimeAmount, unfinished: RequestBudget, client: ClientNetwork?,
        admits: @escaping () -> Bool
    ) {
        self.certificate = certificate
        self.timeout = timeout
        self.unfinished = unfinished
        self.client = client
        self.admits = admits
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasBegun else { return context.fireChannelRead(data) }
        hasBegun = true
        guard begin(context) else { return context.close(promise: nil) }
        // From the first handler on, which is that of TLS now.
        context.pipeline.fireChannelRead(data)
    }

    private func begin(_ context: ChannelHandlerContext) -> Bool {
        guard admits() else { return false }
        let channel = context.channel
        unfinished.enter(ObjectIdentifier(self), of: client, at: context.eventLoop.now) { channel.close(promise: nil) }
        guard unfinished.hold(Self.handshakeBytes, by: ObjectIdentifier(self), isComplete: false, at: context.eventLoop.now) else {
            unfinished.leave(ObjectIdentifier(self))
            return false
        }
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: timeout) { context.close(promise: nil) }
        do {
            try context.pipeline.syncOperations.addHandler(certificate.handler(), position: .before(self))
            return true
        } catch {
            return false
        }
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
        guard let deadline else { return }
        deadline.cancel()
        self.deadline = nil
        unfinished.leave(ObjectIdentifier(self))
    }
}
