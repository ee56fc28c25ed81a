import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import Connections

/// The requests of an event loop that begin in one of its rounds, in which it reads from no further socket.
@Suite struct LoopRoundsTests {
    @Test func whatOthersSendIsReadAheadOfTheRequestsThatConnectionsHaveQueued() async throws {
        let begun = try await Self.begin(10_000, on: Self.makeLoop(), isSentTo: true)
        #expect((1...64).contains(begun))
    }

    /// Nothing else wakes the loop.
    @Test(.timeLimit(.minutes(1))) func queuedRequestsGoOnWhereNothingIsSent() async throws {
        #expect(try await Self.begin(1000, on: Self.makeLoop(), isSentTo: false) == 1000)
    }

    @Test func requestsOnOneLoopBeginInTheOrderInWhichTheyCame() async throws {
        let loop = try await Self.makeLoop()
        let begun = try await loop.flatSubmit {
            let (rounds, done) = (LoopRounds.of(loop), loop.makePromise(of: [Int].self))
            let order = Order(of: 200, done)
            for number in 0..<200 { order.begin(number, in: rounds) }
            return done.futureResult
        }.get()
        #expect(begun == Array(0..<200))
    }

    @Test func aVisitIsAheadOfThoseThatItsRoundLeavesToLaterOnes() async throws {
        let loop = try await Self.makeLoop()
        let begun = try await loop.flatSubmit {
            let (rounds, done) = (LoopRounds.of(loop), loop.makePromise(of: [Int].self))
            let order = Order(of: 301, done)
            for number in 0..<300 { order.begin(number, ofSite: 1, in: rounds) }
            order.begin(300, ofSite: 2, in: rounds)
            return done.futureResult
        }.get()
        #expect(begun[8] == 300, "A site begins eight visits of a round.")
        #expect(begun.filter { $0 < 300 } == Array(0..<300))
    }

    @Test func sitesTakeTurnsWithTheVisitsThatWait() async throws {
        let loop = try await Self.makeLoop()
        let begun = try await loop.flatSubmit {
            let (rounds, done) = (LoopRounds.of(loop), loop.makePromise(of: [Int].self))
            let order = Order(of: 110, done)
            for number in 0..<100 { order.begin(number, ofSite: 1, in: rounds) }
            for number in 100..<110 { order.begin(number, ofSite: 2, in: rounds) }
            return done.futureResult
        }.get()
        #expect(begun[16..<20] == [8, 108, 9, 109])
    }

    @Test func handshakesOfConnectionsThatAreClosedTakeNoPlaceOfARound() async throws {
        let loop = try await Self.makeLoop()
        let isSameRound = try await loop.flatSubmit {
            let (rounds, done) = (LoopRounds.of(loop), loop.makePromise(of: Bool.self))
            let hasRunOthers = NIOLoopBoundBox(false, eventLoop: loop)
            for _ in 0..<2 { rounds.beginHandshake(of: 1) { true } }
            rounds.beginHandshake(of: 1) {
                loop.assumeIsolated().execute { hasRunOthers.value = true }
                return false
            }
            for _ in 0..<100 { rounds.beginHandshake(of: 1) { false } }
            rounds.beginHandshake(of: 1) {
                done.succeed(!hasRunOthers.value)
                return true
            }
            return done.futureResult
        }.get()
        #expect(isSameRound)
    }

    @Test func roundsOfOtherLoopsAreNotLimited() async throws {
        let begun = try await Self.begin(10_000, on: MultiThreadedEventLoopGroup.singleton.next(), isSentTo: true)
        #expect(begun == 10_000)
    }

    /// Makes a loop whose rounds are counted as those of a server's connections and which nothing else uses. It lasts as long as the process.
    private static func makeLoop() async throws -> any EventLoop {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1, metricsDelegate: ConnectionLoops.EndOfRounds())
        let loop = group.next()
        try await loop.submit { _ = LoopRounds.start(on: loop) }.get()
        return loop
    }

    /// Begins requests on a loop, each once the one before is answered, until the loop reads from a socket.
    ///
    /// - Parameter isSentTo: whether something is sent to the socket before the first request.
    /// - Returns: the number of requests that have begun.
    private static func begin(_ count: Int, on loop: any EventLoop, isSentTo: Bool) async throws -> Int {
        let pipe = Pipe()
        let requests = try await loop.submit { NIOLoopBound(Requests(count, on: loop), eventLoop: loop) }.get()
        let descriptor = dup(pipe.fileHandleForReading.fileDescriptor)
        let channel = try await NIOPipeBootstrap(group: loop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(requests.value) }
        }.takingOwnershipOfDescriptor(input: descriptor).get()
        let begun = try await loop.flatSubmit {
            if isSentTo { pipe.fileHandleForWriting.write(Data("pear".utf8)) }
            return requests.value.begin()
        }.get()
        try await channel.close()
        return begun
    }
}

/// Requests of as many connections, and the order in which they begin.
private final class Order {
    private let count: Int
    private let done: EventLoopPromise<[Int]>
    private var begun: [Int] = []

    init(of count: Int, _ done: EventLoopPromise<[Int]>) {
        self.count = count
        self.done = done
    }

    func begin(_ number: Int, in rounds: LoopRounds) {
        guard rounds.begin() else { return rounds.wait { self.begin(number, in: rounds) } }
        didBegin(number)
    }

    func begin(_ number: Int, ofSite site: UInt64, in rounds: LoopRounds) {
        guard rounds.begin(of: site) else { return rounds.wait(of: site) { self.didBegin(number) } }
        didBegin(number)
    }

    private func didBegin(_ number: Int) {
        begun.append(number)
        if begun.count == count { done.succeed(begun) }
    }
}

/// A queue of requests, of which each begins once the one before is answered by a task of the loop, until something is read.
private final class Requests: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let most: Int
    private let loop: any EventLoop
    private let done: EventLoopPromise<Int>
    private var begun = 0
    private var isEnded = false

    init(_ most: Int, on loop: any EventLoop) {
        self.most = most
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
        guard begun < most else { return end() }
        loop.assumeIsolated().execute { self.next(rounds) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { end() }

    private func end() {
        isEnded = true
        done.succeed(begun)
    }
}
