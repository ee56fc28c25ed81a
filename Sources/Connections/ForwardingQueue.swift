import HTTPTypes
import LindenKernel
import LindenServices
import NIOCore
import NIOHTTPTypes

/// A channel handler that forwards a request in its client's turn, see ``ForwardingTurns``. While it waits, reading stops.
final class ForwardingQueue: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum Item {
        case part(NIOAny)
        case event(Any)
    }

    private let turns: ForwardingTurns
    /// The network of a request's client; nil if it takes no turns.
    private let network: @Sendable (HTTPRequest, ClientAddress?) -> ClientNetwork?
    private var peer: ClientAddress?
    private var context: ChannelHandlerContext?
    private var isWaiting = false
    private var isReadPending = false
    private var waiting: [Item] = []

    init(turns: ForwardingTurns, network: @escaping @Sendable (HTTPRequest, ClientAddress?) -> ClientNetwork?) {
        self.turns = turns
        self.network = network
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        peer = context.remoteAddress?.ipAddress.flatMap { ClientAddress($0) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave(context)
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave(context)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isWaiting { return waiting.append(.part(data)) }
        guard case .head(let head) = unwrapInboundIn(data), let client = network(head, peer) else {
            return context.fireChannelRead(data)
        }
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let resume: @Sendable (any Channel) -> Void = { channel in eventLoop.execute { handler.value.resume(channel) } }
        switch turns.begin(context.channel, of: client, resume: resume) {
        case .now: context.fireChannelRead(data)
        case .later: wait(with: data)
        case .instead(of: let other):
            other.channel.close(promise: nil)
            wait(with: data)
        case .refused: context.close(promise: nil)
        }
    }

    private func wait(with data: NIOAny) {
        isWaiting = true
        waiting = [.part(data)]
    }

    func read(context: ChannelHandlerContext) {
        if isWaiting { isReadPending = true } else { context.read() }
    }

    /// The end of the input follows the request. A shutdown overtakes it, so the request does not wait any longer.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if isWaiting, event is ChannelShouldQuiesceEvent { forward(context) }
        if isWaiting { return waiting.append(.event(event)) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        isWaiting = false
        waiting = []
        context.fireErrorCaught(error)
    }

    /// The request's turn has come.
    private func resume(_ channel: any Channel) {
        // It may have been forwarded without a turn, or its connection may have ended.
        guard isWaiting, let context else { return turns.end(channel) }
        forward(context)
    }

    private func forward(_ context: ChannelHandlerContext) {
        let items = waiting
        isWaiting = false
        waiting = []
        for item in items {
            switch item {
            case .part(let part): context.fireChannelRead(part)
            case .event(let event): context.fireUserInboundEventTriggered(event)
            }
        }
        context.fireChannelReadComplete()
        guard isReadPending else { return }
        isReadPending = false
        context.read()
    }

    private func leave(_ context: ChannelHandlerContext) {
        isWaiting = false
        waiting = []
        turns.end(context.channel)
    }
}
