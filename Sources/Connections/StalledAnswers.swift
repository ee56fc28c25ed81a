import NIOCore

/// A channel handler that closes a connection whose client receives nothing of its answers while more bytes wait than the channel buffers.
///
/// Progress counts, not speed: a client that receives slowly, for example an export or a stream of events, goes on. While the channel is
/// not writable, the handlers behind write nothing more, so its waiting bytes become fewer if and only if the client receives.
final class StalledAnswers: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let timeout: TimeAmount
    private var check: Scheduled<Void>?
    private var leastWaiting = Int.max
    private var lastProgress = NIODeadline.distantPast

    /// Unsent bytes that the kernel takes before the rest waits in the channel, where it is counted; the kernel's own limit grows to
    /// megabytes, of which a slow client receives nothing visible for minutes.
    private static let unsentBytes: SocketOptionValue = 64 << 10
    /// The checks within the timeout.
    private static let checks: Int64 = 10

    init(timeout: TimeAmount) {
        self.timeout = timeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        #if os(Linux)
            let option = NIOBSDSocket.Option(rawValue: 25)  // TCP_NOTSENT_LOWAT
            try? context.channel.syncOptions?.setOption(.tcpOption(option), value: Self.unsentBytes)
        #endif
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        end()
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            end()
        } else if check == nil {
            leastWaiting = Int.max
            lastProgress = context.eventLoop.now
            checkLater(context)
        }
        context.fireChannelWritabilityChanged()
    }

    private func checkLater(_ context: ChannelHandlerContext) {
        check = context.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(timeout.nanoseconds / Self.checks)) { [self] in
            guard let waiting = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes) else { return end() }
            let now = context.eventLoop.now
            if waiting < leastWaiting {
                leastWaiting = waiting
                lastProgress = now
            } else if now - lastProgress >= timeout {
                return context.close(promise: nil)
            }
            checkLater(context)
        }
    }

    private func end() {
        check?.cancel()
        check = nil
    }
}
