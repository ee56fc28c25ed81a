import DequeModule
import LindenKernel
import LindenServices
import NIOCore
import NIOPosix

/// The event loops of a server's connections, which tell when their rounds end.
package enum ConnectionLoops {
    /// The loops, one for each core. They last as long as the process.
    package static let group = MultiThreadedEventLoopGroup(
        numberOfThreads: System.coreCount, metricsDelegate: EndOfRounds())

    private static let all = Set(group.makeIterator().map { ObjectIdentifier($0) })

    static func contains(_ eventLoop: any EventLoop) -> Bool { all.contains(ObjectIdentifier(eventLoop)) }

    struct EndOfRounds: NIOEventLoopMetricsDelegate {
        func processedTick(info: NIOEventLoopTickInfo) { LoopRounds.current.currentValue?.end() }
    }
}

/// The requests that the connections of one event loop begin in each of its rounds. Used on its loop only.
///
/// In a round, a loop reads from the sockets that have received something, and then runs tasks until none is left. Answers are such tasks, and
/// with each the next request of its connection begins. Where hundreds of connections have sent many requests, there would always be another
/// task: the round would not end, and what other clients send would not be read. So a round has a bounded number of requests ahead of which
/// others were answered, and further ones wait for a later round. So do visits of a site that has begun its share of the round: on hundreds of
/// connections they would make it last for tens of milliseconds, and a visit of another site waits for one round to be read and for another to
/// be answered.
package final class LoopRounds: @unchecked Sendable {
    fileprivate static let current = ThreadSpecificVariable<LoopRounds>()

    /// The time until requests that wait begin, unless the round lasts longer. A loop that has a timer sleeps no longer than that.
    private static let pause: TimeAmount = .microseconds(50)

    /// The most visits of a site in a round.
    private static let mostOfSite: UInt8 = 8
    /// The most handshakes of TLS that begin in a round. Each takes a millisecond, as long as tens of visits.
    private static let mostHandshakes = 2

    private let eventLoop: any EventLoop
    /// The most requests of a round ahead of which others were answered, and the most visits in a round that have waited for it.
    private let most: Int
    private var begun = 0
    /// The requests that wait, in the order in which they came.
    private var waiting: Deque<() -> Void> = []
    /// The visits of this round by a hash of their site. Sites of one hash share a number.
    private var begunOfSites = [UInt8](repeating: 0, count: 256)
    /// The places of ``begunOfSites`` that are not zero.
    private var usedPlaces: [Int] = []
    private var waitingOfSites = FairQueue<() -> Void>()
    private var handshakes = 0
    private var waitingHandshakes = FairQueue<() -> Bool>()
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
        if let known = current.currentValue { return known }
        return ConnectionLoops.contains(eventLoop) ? start(on: eventLoop) : LoopRounds(eventLoop, most: .max)
    }

    /// Starts to count the rounds of a loop, which must tell ``ConnectionLoops/EndOfRounds``. Must be called on it.
    @discardableResult static func start(on eventLoop: any EventLoop) -> LoopRounds {
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

    /// Begins a visit of a site in this round. Returns false if the site has begun its share of the round.
    package func begin(of site: UInt64) -> Bool {
        // Fibonacci hashing: the upper bits of the product.
        let place = Int(truncatingIfNeeded: (site &* 0x9E37_79B9_7F4A_7C15) >> 56)
        guard begunOfSites[place] < Self.mostOfSite || most == .max else { return false }
        if begunOfSites[place] == 0 { usedPlaces.append(place) }
        begunOfSites[place] &+= 1
        return true
    }

    /// - Parameter resume: called on the loop in a later round. The sites take turns.
    package func wait(of site: UInt64, _ resume: @escaping () -> Void) {
        waitingOfSites.append(resume, of: site)
        startTimer()
    }

    /// Calls a closure that begins a handshake of TLS, in this round or a later one. The sites take turns.
    ///
    /// - Parameters:
    ///   - site: nil for an address that stands for many clients.
    ///   - begin: called on the loop. It returns false, and takes no place of the round, if its connection is closed.
    func beginHandshake(of site: UInt64?, _ begin: @escaping () -> Bool) {
        guard handshakes < Self.mostHandshakes && waitingHandshakes.isEmpty || most == .max else {
            waitingHandshakes.append(begin, of: site)
            return startTimer()
        }
        if begin() { handshakes += 1 }
    }

    fileprivate func end() {
        begun = 0
        handshakes = 0
        isNewRound = true
        guard !usedPlaces.isEmpty else { return }
        for place in usedPlaces { begunOfSites[place] = 0 }
        usedPlaces.removeAll(keepingCapacity: true)
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
        var resumed = 0
        while resumed < most, let next = waitingOfSites.next() {
            resumed += 1
            next()
        }
        while handshakes < Self.mostHandshakes, let next = waitingHandshakes.next() {
            if next() { handshakes += 1 }
        }
        if !waiting.isEmpty || !waitingOfSites.isEmpty || !waitingHandshakes.isEmpty { startTimer() }
    }
}
