import HTTPTypes
import Hummingbird
import LindenKernel
import NIOCore
import Synchronization

/// A response body writer that collects the bytes in memory, up to a limit.
package final class BodyCollector: ResponseBodyWriter, Sendable {
    private let buffer = Mutex(ByteBuffer())
    private let limit: Int

    /// - Parameter limit: the maximum in bytes; a longer response fails with `tooLarge`.
    package init(limit: Int = .max) {
        self.limit = limit
    }

    package var collected: ByteBuffer { buffer.withLock { $0 } }
    package var text: String { buffer.withLock { String(buffer: $0) } }
    package var bytes: [UInt8] { buffer.withLock { Array($0.readableBytesView) } }

    package func write(_ part: ByteBuffer) async throws {
        try buffer.withLock { buffer in
            guard buffer.readableBytes + part.readableBytes <= limit else {
                throw Failure(.tooLarge, "The answer has more than \(limit) bytes.")
            }
            buffer.writeImmutableBuffer(part)
        }
    }

    package func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
