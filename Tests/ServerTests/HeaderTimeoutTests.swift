import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import Server

/// Clients that begin a request and do not finish its headers, behind the real parser, on a clock that the tests turn.
@Suite struct HeaderTimeoutTests {
    private let channel: EmbeddedChannel

    init() throws {
        channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(ConnectionTimeouts(header: .seconds(10), request: .seconds(20), idle: .seconds(60)))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/client")).wait()
    }

    @Test func headersThatDoNotEndAreGivenUpHoweverSlowlyTheyCome() throws {
        try send("GET / HTTP/1.1\r\nX-Slow: ")
        for _ in 0..<9 {
            try send("a")
            wait(1)
        }
        #expect(channel.isActive)
        wait(2)
        #expect(!channel.isActive)
    }

    @Test func headersThatEndInTimeAreNotWaitedForAgain() throws {
        try send("GET / HTTP/1.1\r\n")
        wait(9)
        try send("Host: a\r\n\r\n")
        try answer()
        wait(50)
        #expect(channel.isActive)
    }

    @Test func aConnectionOnWhichNothingWasBegunHasItsIdleTime() throws {
        wait(50)
        try send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        try answer()
        wait(50)
        #expect(channel.isActive)
    }

    private func send(_ text: String) throws {
        channel.pipeline.fireChannelRead(ByteBuffer(string: text))
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
