import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Connections
@testable import Server

/// Requests are handled once they are complete, or once their body is large.
@Suite struct HeldRequestsTests {
    private static let head = HTTPRequest(method: .post, scheme: "http", authority: "go.example.com", path: "/v1/event")

    private let channel = EmbeddedChannel(handler: HeldRequests())

    @Test func aRequestIsForwardedWhenItsLastPartHasCome() throws {
        try send(.head(Self.head))
        try send(.body(ByteBuffer(string: "pear")))
        #expect(try forwarded() == [])
        try send(.body(ByteBuffer(string: "fig")))
        try send(.end(nil))
        #expect(try forwarded() == [.head(Self.head), .body(ByteBuffer(string: "pearfig")), .end(nil)])
    }

    @Test func aRequestWithoutABodyIsForwarded() throws {
        try send(.head(Self.head))
        try send(.end(nil))
        #expect(try forwarded() == [.head(Self.head), .end(nil)])
    }

    @Test func aBodyThatIsCountedElsewhereIsForwardedAsItComes() throws {
        let half = ByteBuffer(repeating: 0x20, count: BodyBudgetMiddleware.freeBytes / 2)
        try send(.head(Self.head))
        try send(.body(half))
        try send(.body(half))
        #expect(try forwarded() == [])
        try send(.body(ByteBuffer(string: "p")))
        #expect(try forwarded() == [.head(Self.head), .body(ByteBuffer(repeating: 0x20, count: 2 * half.readableBytes) + "p")])
        try send(.body(ByteBuffer(string: "ear")))
        try send(.end(nil))
        #expect(try forwarded() == [.body(ByteBuffer(string: "ear")), .end(nil)])
    }

    @Test func eachRequestOfAConnectionIsHeld() throws {
        for fruit in ["pear", "fig"] {
            try send(.head(Self.head))
            try send(.body(ByteBuffer(string: fruit)))
            #expect(try forwarded() == [])
            try send(.end(nil))
            #expect(try forwarded() == [.head(Self.head), .body(ByteBuffer(string: fruit)), .end(nil)])
        }
    }

    @Test func aRequestWhoseRestDoesNotComeIsNotForwarded() throws {
        try send(.head(Self.head))
        try send(.body(ByteBuffer(string: "pear")))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(try forwarded() == [])
    }

    private func send(_ part: HTTPRequestPart) throws {
        try channel.writeInbound(part)
    }

    private func forwarded() throws -> [HTTPRequestPart] {
        var parts: [HTTPRequestPart] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) { parts.append(part) }
        return parts
    }
}

extension ByteBuffer {
    fileprivate static func + (buffer: ByteBuffer, text: String) -> ByteBuffer {
        var buffer = buffer
        buffer.writeString(text)
        return buffer
    }
}
