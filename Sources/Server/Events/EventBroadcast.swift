import Linden
import NIOCore
import Synchronization

/// One reader of an app's newest rows for all listeners of its event stream: what happens is read and rendered once, however many
/// listen.
///
/// It keeps the last messages, at most ``capacity`` bytes. A listener that is further behind reads for itself until it has caught up.
final class EventBroadcast: Sendable {
    /// A row as a server-sent event.
    struct Message: Sendable {
        let id: Int64
        let topic: String
        let text: ByteBuffer
    }

    private struct State {
        var messages: CircularBuffer<Message> = []
        var bytes = 0
        /// What was broadcast up to here is known: everything after `start` and up to `position` is in `messages`.
        var start: Int64
        var position: Int64
    }

    private static let capacity = 4 << 20
    private static let pieceBytes = 256 << 10

    private let tail: Mutex<ExportTail>
    private let state: Mutex<State>

    init(_ tail: ExportTail) {
        state = Mutex(State(start: tail.position, position: tail.position))
        self.tail = Mutex(tail)
    }

    /// Reads what is new, to its end. One caller at a time.
    func read() async throws {
        var next = tail.withLock { $0 }
        repeat {
            let entries = try await next.next()
            append(entries.map(Message.init), upTo: next.position)
            tail.withLock { [next] in $0 = next }
        } while !next.isCaughtUp
    }

    private func append(_ messages: [Message], upTo position: Int64) {
        state.withLock { state in
            for message in messages {
                state.messages.append(message)
                state.bytes += message.text.readableBytes
            }
            state.position = position
            while state.bytes > Self.capacity, let first = state.messages.popFirst() {
                state.bytes -= first.text.readableBytes
                state.start = first.id
            }
        }
    }

    /// The next messages after a position, at most ``pieceBytes`` and one message more, and the position after them; nil for a listener
    /// that is too far behind. Bounded, since a slow listener keeps them until it has read them.
    func messages(after position: Int64, of topics: Set<String>) -> (messages: [Message], position: Int64)? {
        state.withLock { state in
            guard position >= state.start else { return nil }
            guard position < state.position else { return ([], position) }
            var (messages, bytes): ([Message], Int) = ([], 0)
            for message in state.messages[state.messages.index(after: position)...] where topics.contains(message.topic) {
                messages.append(message)
                bytes += message.text.readableBytes
                if bytes >= Self.pieceBytes { return (messages, message.id) }
            }
            return (messages, state.position)
        }
    }
}

extension CircularBuffer<EventBroadcast.Message> {
    /// The index of the first message after a position. Ids rise, so it is found in logarithmic time.
    fileprivate func index(after position: Int64) -> Index {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[index(startIndex, offsetBy: middle)].id > position { high = middle } else { low = middle + 1 }
        }
        return index(startIndex, offsetBy: low)
    }
}

extension EventBroadcast.Message {
    init(_ entry: ExportTail.Entry) {
        let topic = entry.members["topic"]?.string ?? ""
        id = entry.checkpoint.id
        self.topic = topic
        text = ByteBuffer(
            string: "id: \(entry.checkpoint.text)\nevent: \(topic)\ndata: \(JSON.object(entry.members).text)\n\n")
    }
}
