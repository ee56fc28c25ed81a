import NIOCore
import NIOHTTPTypes

extension VisitHandler {
    var isHandedOn: Bool { if case .handedOn = state { backlog.isEmpty } else { false } }

    func take(_ item: Item, _ context: ChannelHandlerContext) {
        if canTake(context) { process(item, context) } else { backlog.append(item) }
    }

    func drainBacklog(_ context: ChannelHandlerContext) {
        var isLate = false
        while let item = backlog.first, isReady(context) {
            backlog.removeFirst()
            process(item, context)
            isLate = true
        }
        if isLate { channelReadComplete(context: context) }
        guard isReadPending, backlog.isEmpty else { return }
        isReadPending = false
        context.read()
    }

    /// Whether an inbound item may be processed without queueing.
    private func canTake(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: backlog.isEmpty && context.channel.isWritable
        case .reading: true
        case .handedOn(let isRead, _): !isRead && backlog.isEmpty
        case .answering: false
        case .closing: true
        }
    }

    /// Whether the first queued item may be processed.
    private func isReady(_ context: ChannelHandlerContext) -> Bool {
        switch state {
        case .idle: context.channel.isWritable
        case .reading, .closing: true
        case .handedOn(let isRead, _): if !isRead { true } else if case .part = backlog.first { false } else { true }
        case .answering: false
        }
    }
}
