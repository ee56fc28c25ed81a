import DequeModule
import NIOCore
import NIOPosix

/// The event loops of a server's connections, which tell when their rounds end.
package enum ConnectionLoops {
    /// The loops, one for each core. They last as long as the process.
    package static let group = MultiThreadedEventLoopGroup(
        numberOfThreads: System.coreCount, metricsDelegate: EndOfRounds())

    private static let all = Set(group.makeIterator().map { ObjectIdentifier($0) })

    static func contains(_ eventLoop: any EventLoop) -> Bool { all.contains(ObjectIdentifier(eventLoop)) }

    private struct EndOfRounds: NIOEventLoopMetricsDelegate {
        func processedTick(info: NIOEventLoopTickInfo) { LoopRounds.current.currentValue?.end() }
    }
}

/// The requests that the connections of one event loop begin in each of its rounds, ahead of which others were answered. Used on its loop only.
///
/// In a round, a loop reads from the sockets that have received something, and then runs tasks until none is left. Answers are such tasks, and
/// with each the next request of its connection begins. Where hundreds of connections have sent many requests, there would always be another
/// task: the round would not end, and what other clients send would not be read. So a round has a bounded number of such requests, and further
/// ones wait for a later round.
package final class LoopRounds: @unchecked Sendable {
    fileprivate static let current = ThreadSpecificVariable<LoopRounds>()

    /// The time until requests that wait begin, unless the round lasts longer. A loop that has a timer sleeps no longer than that.
    private static let pause: TimeAmount = .microseconds(50)

    private let eventLoop: any EventLoop
    /// The most requests of a round.
    private let most: Int
    private var begun = 0
    /// The requests that wait, in the order in which they came.
    private var waiting: Deque<() -> Void> = []
    private var hasTimer = false
    /// Whether a round has ended since the timer began.
    private var isNewRound = false
    private var isResuming = false

    private init(_ eventLoop: any EventLoop, most: Int) {
        self.eventLoop = eventLoop
        self.most = most
    }

    /// Returns the rounds of a loop. Must be called on it. A loop that is none of ``ConnectionLoops`` does not tell when its rounds end, so they
    /// are not limited.
    package static func of(_ eventLoop: any EventLoop) -> LoopRounds {
        eventLoop.preconditionInEventLoop()
        guard ConnectionLoops.contains(eventLoop) else { return LoopRounds(eventLoop, most: .max) }
        if let known = current.currentValue { return known }
        let new = LoopRounds(eventLoop, most: 32)
        current.currentValue = new
        return new
    }

    /// Begins a request in this round. Returns false if it must wait for a later one, behind those that wait already.
    package func begin() -> Bool {
        guard begun < most, isResuming || waiting.isEmpty else { return false }
        begun += 1
        return true
    }

    /// - Parameter resume: called on the loop once another request may begin.
    package func wait(_ resume: @escaping () -> Void) {
        waiting.append(resume)
        startTimer()
    }

    fileprivate func end() {
        begun = 0
        isNewRound = true
    }

    private func startTimer() {
        guard !hasTimer else { return }
        hasTimer = true
        isNewRound = false
        eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            hasTimer = false
            if isNewRound { resume() } else { startTimer() }
        }
    }

    private func resume() {
        isResuming = true
        while begun < most, let next = waiting.popFirst() { next() }
        isResuming = false
        if !waiting.isEmpty { startTimer() }
    }
}
