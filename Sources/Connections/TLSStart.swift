import NIOCore
import NIOSSL
import NIOTLS

/// A channel handler that begins TLS with a connection's first bytes, and closes a connection whose handshake is not complete in time.
///
/// The state of TLS takes some 20 KB and a handshake a millisecond of CPU, which connections that send nothing, or are refused, do not cost. Each
/// address and network may begin some handshakes a second. The number of connections bounds their memory; a budget of it would let those who fill
/// it lock others out.
final class TLSStart: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let certificate: TLSCertificate
    private let timeout: TimeAmount
    /// Whether the peer may begin a handshake now.
    private let admits: () -> Bool
    private var deadline: Scheduled<Void>?
    private var hasBegun = false

    init(_ certificate: TLSCertificate, timeout: TimeAmount, admits: @escaping () -> Bool) {
        self.certificate = certificate
        self.timeout = timeout
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
        deadline?.cancel()
        deadline = nil
    }
}
