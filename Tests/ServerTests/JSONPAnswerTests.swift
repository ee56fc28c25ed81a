import HTTPTypes
import Hummingbird
import LindenKernel
import NIOCore
import Testing

@testable import Server

/// The size of answers to scripts, which are held in memory.
@Suite struct JSONPAnswerTests {
    @Test func anAnswerBeyondTheLimitIsRefused() async throws {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/v1/url?callback=f")
        let call = try #require(JSONPCall(Request(head: head, body: RequestBody(buffer: ByteBuffer()))))
        _ = try await call.wrap(Self.answer(bytes: JSONPCall.maximumBytes))
        let failure = await #expect(throws: Failure.self) {
            _ = try await call.wrap(Self.answer(bytes: JSONPCall.maximumBytes + 1))
        }
        #expect(failure?.code == .tooLarge)
    }

    private static func answer(bytes: Int) -> Response {
        Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: UInt8(ascii: "1"), count: bytes)))
    }
}
