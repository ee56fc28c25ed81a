import NIOCore
import NIOEmbedded
import Testing

@testable import Connections
@testable import Server

/// Clients that receive nothing of their answers, on a clock that the tests advance.
@Suite struct StalledAnswersTests {
    private let channel = EmbeddedChannel(handler: StalledAnswers(timeout: .seconds(20)))

    init() throws {
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/client")).wait()
    }

    @Test func aClientThatReceivesNothingIsClosed() {
        answer(100_000)
        wait(19)
        #expect(channel.isActive)
        wait(6)
        #expect(!channel.isActive)
    }

    @Test func aClientThatReceivesSlowlyGoesOn() {
        for part in 0..<20 {
            receive(leaving: 100_000 - part)
            wait(15)
        }
        #expect(channel.isActive)
        wait(25)
        #expect(!channel.isActive, "it has stopped")
    }

    @Test func aClientThatHasReceivedItsAnswerMayWait() {
        answer(100_000)
        wait(15)
        receive(leaving: 0)
        wait(300)
        #expect(channel.isActive)
    }

    @Test func everyAnswerHasItsOwnTime() {
        for _ in 0..<5 {
            answer(100_000)
            wait(15)
            receive(leaving: 0)
        }
        #expect(channel.isActive)
    }

    /// Writes bytes that wait for the client.
    private func answer(_ count: Int) {
        channel.write(ByteBuffer(repeating: 0, count: count), promise: nil)
        setWritable(false)
    }

    /// Sends all waiting bytes, and writes those that are left.
    private func receive(leaving count: Int) {
        channel.flush()
        if count > 0 { answer(count) } else { setWritable(true) }
    }

    private func setWritable(_ isWritable: Bool) {
        guard channel.isWritable != isWritable else { return }
        channel.isWritable = isWritable
        channel.pipeline.fireChannelWritabilityChanged()
    }

    private func wait(_ seconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
    }
}
