import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Connections

/// Answers on their way to clients that receive them slowly.
@Suite struct UnsentBytesTests {
    @Test func aLargeAnswerIsWrittenInPartsThatAreFreedOneByOne() async throws {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(UnsentBytes(budget: UnsentBudget(1 << 20), exempt: []))
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let written = channel.eventLoop.makePromise(of: Void.self)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: written)
        channel.flush()
        var parts: [ByteBuffer] = []
        while case .body(.byteBuffer(let part)) = try channel.readOutbound(as: HTTPServerResponsePart.self) { parts.append(part) }
        #expect(parts.flatMap { Array($0.readableBytesView) } == bytes)
        #expect(parts.count == 7 && parts.allSatisfy { $0.storageCapacity <= 16_384 })
        try await written.futureResult.get()
        _ = try channel.finish()
    }
}
