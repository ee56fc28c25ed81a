import Dashboard
import LindenKernel
import LindenReporting
import NIOCore
import Synchronization

/// A shared reader of an app's newest rows for all listeners of its event stream: each row is read and rendered once, independent of the
/// number of listeners.
///
/// It keeps the messages of the last seconds, at most ``capacity`` bytes: what is erased must not stay in memory. A listener that is further behind reads on its own until it has caught up.
final class EventBroadcast: Sendable {
    /// A row as a server-sent event.
    struct Message: Sendable {
        let id: Int64
        let topic: String
        let text: ByteBuffer
        /// The same row as the dashboard shows it.
        let liveText: ByteBuffer
        let platform: LivePlatform

        var readableBytes: Int { text.readableBytes + liveText.readableBytes }
    }

    private struct State {
        var messages: CircularBuffer<Message> = []
        var bytes = 0
        /// The range of ids in `messages`: all that was broadcast after `start` and up to `position`.
        var start: Int64
        var position: Int64
    }

    private static let capacity = 4 << 20
    private static let pieceBytes = 64 << 10
    /// How long a message is kept.
    private static let lifetime = Duration.seconds(10)

    private let tail: Mutex<ExportTail>
    private let state: Mutex<State>

    init(_ tail: ExportTail) {
        state = Mutex(State(start: tail.position, position: tail.position))
        self.tail = Mutex(tail)
    }

    /// Reads all new rows. Must not be called concurrently.
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
                state.bytes += message.readableBytes
            }
            state.position = position
            let oldest = IDGenerator.first(at: IDGenerator.time(of: position) - Self.lifetime)
            while let first = state.messages.first, state.bytes > Self.capacity || first.id < oldest {
                state.messages.removeFirst()
                state.bytes -= first.readableBytes
                state.start = first.id
            }
        }
    }

    /// Returns the next messages after a position, at most ``pieceBytes`` and one message more, and the position after them; nil if the
    /// listener is too far behind. Limited, since a slow listener holds them until it has sent them.
    func messages(after position: Int64, of topics: Set<String>) -> (messages: [Message], position: Int64)? {
        state.withLock { state in
            guard position >= state.start else { return nil }
            guard position < state.position else { return ([], position) }
            var (messages, bytes): ([Message], Int) = ([], 0)
            for message in state.messages[state.messages.index(after: position)...] where topics.contains(message.topic) {
                messages.append(message)
                bytes += message.readableBytes
                if bytes >= Self.pieceBytes { return (messages, message.id) }
            }
            return (messages, state.position)
        }
    }
}

extension CircularBuffer<EventBroadcast.Message> {
    /// Returns the index of the first message after a position by binary search; ids ascend.
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
        let row = LiveRow(entry.members)
        liveText = ByteBuffer(string: "id: \(entry.checkpoint.text)\ndata: \(row.json.text)\n\n")
        platform = row.platform
    }
}
