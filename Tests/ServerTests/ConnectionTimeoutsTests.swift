import NIOCore
import Testing

@testable import Connections
@testable import Server

/// Timeouts of idle clients, on a clock that the tests advance.
@Suite struct ConnectionTimeoutsTests {
    private let connection: ParsedConnection

    init() throws {
        connection = try ParsedConnection()
    }

    @Test func aConnectionOnWhichNothingIsAskedIsClosed() {
        connection.wait(59)
        #expect(connection.isOpen)
        connection.wait(2)
        #expect(!connection.isOpen)
    }

    @Test func everyAnswerRestartsTheTimeout() throws {
        for _ in 0..<5 {
            connection.wait(50)
            connection.ask()
            try connection.answer()
        }
        #expect(connection.isOpen)
        connection.wait(61)
        #expect(!connection.isOpen)
    }

    @Test func aLongAnswerIsNotCutOff() throws {
        connection.ask()
        connection.wait(600)
        #expect(connection.isOpen)
        try connection.answer()
        connection.wait(61)
        #expect(!connection.isOpen)
    }

    @Test func aRequestThatDoesNotEndIsGivenUp() throws {
        connection.send(half)
        connection.wait(19)
        #expect(connection.isOpen)
        connection.wait(2)
        #expect(!connection.isOpen)
    }

    @Test func aRequestThatCameBeforeItsTurnHasItsTimeThen() throws {
        connection.ask()
        connection.send(half)
        connection.wait(300)
        #expect(connection.isOpen)
        try connection.answer()
        connection.wait(41)
        #expect(!connection.isOpen)
    }

    /// An invalid request is refused without having been counted as a request.
    @Test func whoWasRefusedAndStaysIsClosedTheSame() throws {
        try connection.answer()
        connection.wait(61)
        #expect(!connection.isOpen)
    }

    @Test func aConnectionIsInUseFromTheEndOfARequestToTheEndOfItsAnswer() throws {
        connection.wait(5)
        #expect(unusedSeconds == 5)
        connection.send(half)
        #expect(unusedSeconds == 0)
        connection.wait(3)
        connection.send("more")
        #expect(unusedSeconds == 3, "only the first part of a request counts")
        connection.send(" ")
        #expect(unusedSeconds == nil)
        connection.ask()
        try connection.answer()
        #expect(unusedSeconds == nil, "the second is not answered")
        try connection.answer()
        connection.wait(4)
        #expect(unusedSeconds == 4)
    }

    /// The time for which the connection has not been in use; nil if it is.
    private var unusedSeconds: Int64? {
        connection.connection.unusedSince.map { (connection.now - $0).nanoseconds / 1_000_000_000 }
    }

    private let half = "POST /v1/open HTTP/1.1\r\nHost: go.example.com\r\nContent-Length: 9\r\n\r\nhalf"
}
