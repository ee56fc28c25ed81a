import Connections
import NIOCore
import NIOHTTP1

/// Small calls, which a task answers once they are complete.
extension FastPathHandler {
    /// Takes the next item of a small call, or hands the call to the handlers behind.
    func collect(_ item: Item, of call: SmallCall, _ context: ChannelHandlerContext) {
        switch item {
        case .part(.body(let part)): state = .collecting(call.with(part))
        case .part(.end) where begin(call, context): state = .answering
        default:
            forward(call.head, context)
            if let body = call.body { deliver(.body(body), context) }
            pass(item, context)
        }
    }

    /// - Returns: false without side effects if the call must wait for its turn.
    private func begin(_ call: SmallCall, _ context: ChannelHandlerContext) -> Bool {
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        return calls.answer(call, on: context.channel, from: peer, turns) { answer in
            eventLoop.execute { handler.value.send(answer, to: call) }
        }
    }

    /// Sends an answer in one write, unless the client has disconnected.
    private func send(_ answer: ByteBuffer, to call: SmallCall) {
        guard let context, context.channel.isActive else { return }
        persistence = call.persistence
        lastWrite = answers.send(answer)
        endAnswer(context)
    }
}
