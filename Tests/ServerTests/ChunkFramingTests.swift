import NIOCore
import Testing

@testable import Connections

/// The trailers behind the chunks of a body.
@Suite struct ChunkFramingTests {
    private static let chunks = "5\r\nhello\r\n1a;name=value\r\n\r\n\r\nX: no trailer 12345678\r\n0\r\n"
    private static let trailers = "X: 12\r\nY: 3\r\n\r"
    private static let body = chunks + trailers + "\nGET / HTTP/1.1\r\n"

    /// However the bytes arrive.
    @Test(arguments: [1, 2, 7, 1000]) func onlyTheLinesBehindTheLastChunkAreCounted(step: Int) {
        var framing = ChunkFraming()
        var rest = Array(Self.body.utf8)[...]
        while !rest.isEmpty {
            framing.read(ByteBuffer(bytes: rest.prefix(step)).readableBytesView)
            rest = rest.dropFirst(step)
        }
        #expect(framing.trailerBytes == Self.trailers.utf8.count)
    }

    @Test func aSizeThatNoBodyHasCountsNothing() {
        var framing = ChunkFraming()
        framing.read(ByteBuffer(string: String(repeating: "f", count: 100) + "\r\n0\r\nX: 1\r\n\r\n").readableBytesView)
        #expect(framing.trailerBytes == 0)
    }
}
