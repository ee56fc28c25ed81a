import Connections
import Foundation
import NIOCore
import NIOPosix
import Testing

/// The requests of an event loop that begin in one of its rounds, in which it reads from no further socket.
@Suite struct LoopRoundsTests {
    @Test func whatOthersSendIsReadAheadOfTheRequestsThatConnectionsHaveQueued() async throws {
        let begun = try await Self.requestsBeforeARead(on: ConnectionLoops.group.next())
        #expect((1...64).contains(begun))
    }

    @Test func roundsOfOtherLoopsAreNotLimited() async throws {
        let begun = try await Self.requestsBeforeARead(on: MultiThreadedEventLoopGroup.singleton.next())
        #expect(begun == Requests.most)
    }

    /// Returns how many queued requests a loop begins before it reads what is sent to it meanwhile.
    private static func requestsBeforeARead(on loop: any EventLoop) async throws -> Int {
        let pipe = Pipe()
        let requests = try await loop.submit { NIOLoopBound(Requests(on: loop), eventLoop: loop) }.get()
        let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
        let channel = try await NIOPipeBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(requests.value) }
        }.takingOwnershipOfDescriptor(input: descriptor).get()
        let begun = try await loop.flatSubmit {
            pipe.fileHandleForWriting.write(Data("pear".utf8))
            return requests.value.begin()
        }.get()
        try await channel.close()
        return begun
    }
}

/// A queue of requests, of which each begins once the one before is answered by a task of the loop, until something is read.
private final class Requests: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    static let most = 10_000

    private let loop: any EventLoop
    private let done: EventLoopPromise<Int>
    private var begun = 0
    private var isEnded = false

    init(on loop: any EventLoop) {
        self.loop = loop
        done = loop.makePromise()
    }

    func begin() -> EventLoopFuture<Int> {
        next(LoopRounds.of(loop))
        return done.futureResult
    }

    private func next(_ rounds: LoopRounds) {
        guard !isEnded else { return }
        guard rounds.begin() else { return rounds.wait { self.next(rounds) } }
        begun += 1
        guard begun < Self.most else { return end() }
        loop.assumeIsolated().execute { self.next(rounds) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { end() }

    private func end() {
        isEnded = true
        done.succeed(begun)
    }
}
