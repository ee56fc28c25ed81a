import LindenKernel
import NIOCore
import NIOHTTP1

/// A channel handler that counts a connection's bytes that wait to be sent in the ``UnsentBudget``, and closes the connection if the budget
/// says so.
///
/// The kernel takes a small answer at once. Bytes wait where a client receives a large one slowly or not at all. A buffer stays whole until the
/// last of its bytes is sent, so large ones are written in parts: what is held is hardly more than what waits.
final class UnsentBytes: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let budget: UnsentBudget
    private let exempt: [Network]
    /// The key of the budget; nil for an exempt address, which stands for many visitors.
    private var client: ClientNetwork?
    /// Bytes written since the channel was last asked for those that wait.
    private var written = 0
    private var waiting = 0
    private var check: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    /// Bytes of small answers that are written before the channel is asked, which takes longer than to count them.
    private static let uncheckedBytes = 4 << 10
    private static let partBytes = 16 << 10
    /// The size assumed for a head.
    private static let headBytes = 512
    private static let interval: TimeAmount = .milliseconds(250)

    /// - Parameter exempt: networks whose addresses stand for many visitors, such as proxies.
    init(budget: UnsentBudget, exempt: [Network]) {
        self.budget = budget
        self.exempt = exempt
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let address = context.remoteAddress?.ipAddress.flatMap { ClientAddress($0) } ?? .unknown
        client = exempt.contains { $0.contains(address) } ? nil : ClientNetwork(address)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head: didWrite(Self.headBytes)
        case .body(.byteBuffer(let bytes)):
            didWrite(bytes.readableBytes)
            if bytes.readableBytes > Self.partBytes { return write(parts: bytes, context, promise) }
        case .body(let bytes): didWrite(bytes.readableBytes)
        case .end: break
        }
        context.write(data, promise: promise)
    }

    private func write(parts bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        var rest = bytes
        while let slice = rest.readSlice(length: min(rest.readableBytes, Self.partBytes)), slice.readableBytes > 0 {
            // A copy, since a slice would hold all of the bytes.
            let part = HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: slice.readableBytesView)))
            context.write(wrapOutboundOut(part), promise: rest.readableBytes == 0 ? promise : nil)
        }
    }

    func flush(context: ChannelHandlerContext) {
        context.flush()
        didFlush()
    }

    /// Counts written bytes.
    func didWrite(_ count: Int) {
        written += count
    }

    /// Counts the bytes that wait after a flush.
    func didFlush() {
        guard let context, waiting > 0 || written >= Self.uncheckedBytes else { return }
        count(context)
    }

    private func count(_ context: ChannelHandlerContext) {
        written = 0
        guard context.channel.isActive, let now = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes) else {
            return end()
        }
        let hasProgress = now < waiting
        waiting = now
        let isOpen = budget.count(
            waiting, of: ObjectIdentifier(self), client, hasProgress: hasProgress, at: context.eventLoop.now)
        // Later, since the handlers behind may be in the middle of an answer.
        if !isOpen { return context.eventLoop.assumeIsolated().execute { context.close(promise: nil) } }
        guard waiting > 0, check == nil else { return }
        check = context.eventLoop.assumeIsolated().scheduleTask(in: Self.interval) { [self] in
            check = nil
            count(context)
        }
    }

    private func end() {
        check?.cancel()
        check = nil
        waiting = 0
        budget.leave(ObjectIdentifier(self))
    }
}
