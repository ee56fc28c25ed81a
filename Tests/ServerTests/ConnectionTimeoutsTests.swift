import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Server

/// Connections of clients who do nothing, on a clock that the tests turn.
@Suite struct ConnectionTimeoutsTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel(handler: ConnectionTimeouts(header: .seconds(10), request: .seconds(20), idle: .seconds(60)))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nobody")).wait()
    }

    @Test func aConnectionOnWhichNothingIsAskedIsClosed() throws {
        wait(59)
        #expect(channel.isActive)
        wait(2)
        #expect(!channel.isActive)
    }

    @Test func everyAnswerBeginsTheTimeAnew() throws {
        for _ in 0..<5 {
            wait(50)
            try ask()
            try answer()
        }
        #expect(channel.isActive)
        wait(61)
        #expect(!channel.isActive)
    }

    @Test func aLongAnswerIsNotCutOff() throws {
        try ask()
        wait(600)
        #expect(channel.isActive)
        try answer()
        wait(61)
        #expect(!channel.isActive)
    }

    @Test func aRequestThatDoesNotEndIsGivenUp() throws {
        try read(.head(head))
        try read(.body(ByteBuffer(string: "half")))
        wait(19)
        #expect(channel.isActive)
        wait(2)
        #expect(!channel.isActive)
    }

    @Test func aRequestThatCameBeforeItsTurnHasItsTimeThen() throws {
        try ask()
        try read(.head(head))
        wait(300)
        #expect(channel.isActive)
        try answer()
        wait(41)
        #expect(!channel.isActive)
    }

    /// What is no request is refused without having been one.
    @Test func whoWasRefusedAndStaysIsClosedTheSame() throws {
        try answer()
        wait(61)
        #expect(!channel.isActive)
    }

    private let head = HTTPRequest(method: .get, scheme: "http", authority: "go.example.com", path: "/abc")

    private func ask() throws {
        try read(.head(head))
        try read(.end(nil))
    }

    private func read(_ part: HTTPRequestPart) throws {
        channel.pipeline.fireChannelRead(part)
        channel.pipeline.fireChannelReadComplete()
    }

    private func answer() throws {
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .found)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
    }

    private func wait(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }
}
