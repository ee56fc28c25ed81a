import NIOCore
import NIOHTTP1

/// The first handler of a connection, ahead of the parser: counts received bytes, and forwards only as much as the handlers behind ask for.
///
/// While a request is being answered, nothing more is read. But once a client has closed the connection or its side of it, the channel
/// reads all remaining bytes at once, however many requests they hold. They are queued here unparsed, so a client that has left costs no
/// more than their memory. So are the bytes behind the head of a request, since a parsed request takes ten times the memory of a short
/// one's bytes until it is answered. After some queued parts that are asked for one after another, such as requests that are answered at
/// once, other connections get their turn.
final class ReceivedBytes: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    /// What a client sends next.
    enum Expected {
        case head
        /// A body, or the rest of one, with this number of bytes.
        case body(Int)
        /// A body in chunks.
        case chunks
    }

    /// Called with received bytes when they are forwarded, at any boundary.
    var observe: ((ByteBuffer) -> Void)?
    /// Set by the handler that sees the parsed requests.
    var expected = Expected.head {
        didSet {
            isHeadBegun = false
            if case .head = expected { headBytesBeyondASCII = 0 }
            if case .chunks = expected { chunks = ChunkFraming() }
        }
    }
    /// Whether received bytes are dropped from now on.
    private(set) var isEnded = false
    private var context: ChannelHandlerContext?
    private var isAskedForMore = false
    private var isForwarding = false
    /// Whether queued bytes wait for the turn of other connections.
    private var isPaused = false
    /// Whether a part of the expected head was forwarded.
    private var isHeadBegun = false
    private var headBytesBeyondASCII = 0
    private var chunks = ChunkFraming()
    private var waiting = ByteBuffer()
    /// The end of the client's side, delivered after the queued bytes.
    private var end: ChannelEvent?

    /// The most bytes that are read, and forwarded, at a time.
    static let readBytes = 8 << 10
    /// The queued parts that are forwarded before other connections get their turn.
    static let partsAtOnce = 8
    /// The time until the next ones are. Tasks without a delay would be run before other connections are read.
    static let pause: TimeAmount = .milliseconds(1)
    private let mostWaitingBytes: Int
    private let closing: ClosingConnections
    /// Whether the connection is among those: what is received is read and dropped.
    private var isClosing = false
    private var closingDeadline: Scheduled<Void>?

    /// - Parameter mostWaitingBytes: the maximum of queued bytes; a connection with more is closed. The largest request must fit.
    init(mostWaitingBytes: Int, closing: ClosingConnections) {
        self.mostWaitingBytes = mostWaitingBytes
        self.closing = closing
    }

    /// The number of queued bytes.
    var waitingBytes: Int { waiting.readableBytes }
    /// The bytes that are queued with those before them, which the queue's buffer keeps until none is left.
    var queueBytes: Int { waiting.writerIndex }
    /// The memory of the queue in bytes.
    var capacity: Int { waiting.capacity }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        observe = nil
        didClose()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnded else { return }
        var bytes = unwrapInboundIn(data)
        if isAskedForMore, waiting.readableBytes == 0, nextLength(of: &bytes) == bytes.readableBytes {
            if bytes.readableBytes > 0 { forward(bytes, context) }
            return
        }
        waiting.discardReadBytes()
        waiting.writeBuffer(&bytes)
        if waiting.readableBytes > mostWaitingBytes { return context.close(promise: nil) }
        if isAskedForMore { forwardQueued(context) }
    }

    private func forward(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard !isCostly(bytes) else { return drop(reporting: HTTPParserError.headerOverflow) }
        isAskedForMore = false
        isHeadBegun = true
        if case .body(let rest) = expected { expected = .body(rest - bytes.readableBytes) }
        observe?(bytes)
        context.fireChannelRead(wrapInboundOut(bytes))
    }

    /// Whether the parser would take long to decode a head or the trailers of a body, of which these bytes are the next.
    private func isCostly(_ bytes: ByteBuffer) -> Bool {
        switch expected {
        case .head:
            headBytesBeyondASCII += bytes.withUnsafeReadableBytes { bytes in
                // Has no early exit, so that the compiler can look at many bytes at once. Nearly all heads are ASCII.
                var all: UInt8 = 0
                for byte in bytes { all |= byte }
                return all < 0x80 ? 0 : bytes.count { $0 >= 0x80 }
            }
        case .chunks: chunks.read(bytes.readableBytesView)
        case .body: break
        }
        return headBytesBeyondASCII > ConnectionLimits.headBytesBeyondASCII
            || chunks.trailerBytes > ConnectionLimits.trailerBytes
    }

    /// Returns how many bytes to forward next: of a head or a body no more than to its end. Skips line ends before a head, as the parser
    /// would.
    private func nextLength(of bytes: inout ByteBuffer) -> Int {
        if case .head = expected, !isHeadBegun { bytes.skipLineEnds() }
        let most = min(bytes.readableBytes, Self.readBytes)
        return switch expected {
        case .body(let rest) where rest > 0: min(rest, most)
        case .chunks: endOfBody(of: bytes, within: most)
        case .head, .body: bytes.endOfHead(isBegun: isHeadBegun, within: most) ?? most
        }
    }

    private func endOfBody(of bytes: ByteBuffer, within most: Int) -> Int {
        var chunks = chunks
        return chunks.read(bytes.readableBytesView.prefix(most))
    }

    func read(context: ChannelHandlerContext) {
        isAskedForMore = true
        guard waiting.readableBytes > 0 else { return context.read() }
        forwardQueued(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if waiting.readableBytes > 0, let event = event as? ChannelEvent, event == .inputClosed {
            end = event
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting = ByteBuffer()
        end = nil
        didClose()
        context.fireChannelInactive()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // The handlers behind ask for no more.
        if isClosing { context.read() }
    }

    /// Forwards queued bytes while the handlers behind ask for more, which they do within these calls.
    private func forwardQueued(_ context: ChannelHandlerContext) {
        guard !isForwarding, !isPaused else { return }
        isForwarding = true
        defer { isForwarding = false }
        var parts = 0
        while isAskedForMore {
            if parts == Self.partsAtOnce { return pause(context) }
            parts += 1
            let length = nextLength(of: &waiting)
            guard length > 0, let part = waiting.readSlice(length: length) else { break }
            forward(part, context)
            context.fireChannelReadComplete()
            // Calls `read(context:)`, which sets `isAskedForMore` and returns, because this loop runs.
            context.channel.pipeline.syncOperations.read()
        }
        // A buffer keeps what was read from it.
        if waiting.readableBytes == 0 { waiting = ByteBuffer() }
        guard waiting.readableBytes == 0, let end else { return }
        self.end = nil
        context.fireUserInboundEventTriggered(end)
    }

    private func pause(_ context: ChannelHandlerContext) {
        isPaused = true
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            isPaused = false
            if let context = self.context { forwardQueued(context) }
        }
    }

    /// Drops all further bytes.
    func drop() {
        isEnded = true
        waiting = ByteBuffer()
    }

    /// Drops what still comes of a request that is answered, the last one of its connection, which ends with its client's side, or a moment
    /// after the answer is sent, see ``ClosingConnections``.
    func endInput(after answer: EventLoopFuture<Void>) {
        guard !isClosing, let context else { return }
        drop()
        isClosing = true
        let time = closing.enter()
        answer.assumeIsolated().whenComplete { [self] _ in
            guard isClosing, let context = self.context else { return }
            context.channel.close(mode: .output, promise: nil)
            closingDeadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
        }
        context.read()
    }

    private func didClose() {
        if isClosing { closing.leave() }
        isClosing = false
        // It keeps the channel in memory.
        closingDeadline?.cancel()
    }

    /// Reports an error to the handlers behind, and drops all further bytes.
    func drop(reporting error: any Error) {
        drop()
        context?.fireErrorCaught(error)
    }
}
