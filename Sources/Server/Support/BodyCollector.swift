import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Keeps what a response writes.
package final class BodyCollector: ResponseBodyWriter, Sendable {
    private let buffer = Mutex(ByteBuffer())

    package init() {}

    package var text: String { buffer.withLock { String(buffer: $0) } }
    package var bytes: [UInt8] { buffer.withLock { Array($0.readableBytesView) } }

    package func write(_ part: ByteBuffer) async throws {
        _ = buffer.withLock { $0.writeImmutableBuffer(part) }
    }

    package func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
