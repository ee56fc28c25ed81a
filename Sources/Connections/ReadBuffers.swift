import NIOCore

/// The buffers into which connections are read: small ones, and twice as large as long as reads fill them.
///
/// A channel's pool keeps the buffer of the last read for as long as the connection is open, which would be most of the memory of ten thousand
/// idle connections after one large call each. It keeps only the first, which is small, if it does not know the size of the next one and
/// each may be larger than the one before.
struct ReadBuffers: RecvByteBufferAllocator {
    private static let smallBytes = 2048
    private var sizes = AdaptiveRecvByteBufferAllocator(
        minimum: Self.smallBytes, initial: Self.smallBytes, maximum: ReceivedBytes.readBytes)

    func buffer(allocator: ByteBufferAllocator) -> ByteBuffer { sizes.buffer(allocator: allocator) }

    mutating func record(actualReadBytes: Int) -> Bool {
        _ = sizes.record(actualReadBytes: actualReadBytes)
        return true
    }
}
