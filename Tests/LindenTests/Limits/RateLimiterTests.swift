import Linden
import LindenKernel
import LindenServices
import LindenTesting
import Logging
import Synchronization
import Testing

@Suite struct RateLimiterTests {
    private let clock = TestClock()
    private let orchard = Scope(app: App.ID(rawValue: 1), mode: .live)
    private let visitor = ClientAddress("203.0.113.7")!

    @Test func oneAddressUsesUpItsShareAndNotTheApps() throws {
        let limiter = limiter(address: Rate(perMinute: 10), key: Rate(perMinute: 40))
        #expect(admitted(100, limiter, from: visitor) == 10)
        // Refused requests do not consume tokens of the app's bucket.
        let others = (0..<3).map { ClientAddress("198.51.\($0).1")! }
        #expect(others.map { admitted(10, limiter, from: $0) }.reduce(0, +) == 30)
    }

    /// Data is stored faster than disks write it, if a whole hour's share may be stored at once.
    @Test func aStrangersShareOfAnHourIsNotStoredInAMinute() throws {
        let limiter = RateLimiter(limits: RateLimits(exempt: []), now: { [clock] in clock.now })
        let part = 1 << 20
        func stored(_ addresses: [ClientAddress]) -> Int {
            addresses.map { address in
                (0..<300).count { _ in (try? limiter.admit(.store, of: orchard, from: address, amount: part)) != nil }
            }.reduce(0, +)
        }
        #expect(stored([visitor]) == 32)
        #expect(stored((1...20).map { ClientAddress("198.51.100.\($0)")! }) == 128, "a network has half of the key's")
        #expect(stored((1...20).map { ClientAddress("192.0.\($0).1")! }) == 256 - 32 - 128 + 128, "the rest, and the reserve")
    }

    @Test(arguments: ["198.51.100.%", "2001:db8:7:%::1"])
    func oneNetworkLeavesHalfOfAKeysRateToOthers(pattern: String) {
        let limiter = limiter(address: Rate(perMinute: 10), key: Rate(perMinute: 60))
        let addresses = (1...50).map { ClientAddress(pattern.replacing("%", with: String($0)))! }
        #expect(addresses.map { admitted(10, limiter, from: $0) }.reduce(0, +) == 30)
        let others = (1...3).map { ClientAddress("192.0.\($0).1")! }
        #expect(others.map { admitted(10, limiter, from: $0) }.reduce(0, +) == 30)
    }

    /// The reserve is half of the key's rate, and a network's share of it a sixteenth.
    @Test(arguments: ["198.51.%.1", "2001:db8:%::1"])
    func networksThatUseUpAKeysRateLeaveEachOtherOneAShare(pattern: String) {
        let limiter = limiter(address: Rate(perMinute: 160), key: Rate(perMinute: 320))
        let addresses = (1...20).map { ClientAddress(pattern.replacing("%", with: String($0)))! }
        #expect(addresses.prefix(3).map { admitted(1000, limiter, from: $0) } == [160, 160, 10])
        #expect(addresses.dropFirst(3).prefix(15).map { admitted(100, limiter, from: $0) } == Array(repeating: 10, count: 15))
        #expect(addresses.dropFirst(18).map { admitted(100, limiter, from: $0) } == [0, 0], "the reserve is used up")
    }

    @Test func aNetworksShareOfAKeyIsNoLessThanAnAddresss() {
        let limiter = limiter(address: Rate(perMinute: 10), key: Rate(perMinute: 12))
        #expect(admitted(20, limiter, from: visitor) == 10)
    }

    @Test func theAddressesOfOneIPv6NetworkShareABucket() {
        let limiter = limiter(address: Rate(perMinute: 10), key: .unlimited)
        let addresses = (0..<20).map { ClientAddress("2001:db8:1:2::\(String($0, radix: 16))")! }
        #expect(addresses.map { admitted(1, limiter, from: $0) }.reduce(0, +) == 10)
    }

    @Test(arguments: ["198.51.100.%", "2001:db8:7:%::1"]) func theAddressesOfOneNetworkHaveEightSharesTogether(pattern: String) {
        let limiter = limiter(address: Rate(perMinute: 10), key: .unlimited)
        let addresses = (0..<100).map { ClientAddress(pattern.replacing("%", with: String($0)))! }
        #expect(addresses.map { admitted(10, limiter, from: $0) }.reduce(0, +) == 160)
        #expect(admitted(10, limiter, from: ClientAddress("2001:db8:8::1")!) == 10)
    }

    @Test func anAddressMayUseSeveralAppsKeysButOnlyTwiceAsOften() {
        let limiter = limiter(address: Rate(perMinute: 10), key: .unlimited)
        let scopes = (1...5).map { Scope(app: App.ID(rawValue: $0), mode: .live) }
        #expect(scopes.map { admitted(10, limiter, of: $0, from: visitor) } == [10, 10, 0, 0, 0])
    }

    @Test func unknownAddressesShareNoBucketButTheKeys() {
        let limiter = limiter(address: Rate(perMinute: 2), key: Rate(perMinute: 5))
        #expect(admitted(9, limiter, from: .unknown) == 5)
    }

    @Test func callsWithASecretHaveABucketThatNoStrangerReaches() {
        let limiter = limiter(address: Rate(perMinute: 10), key: Rate(perMinute: 10), secret: Rate(perMinute: 20))
        #expect(admitted(10, limiter, from: visitor) == 10)
        #expect(admitted(30, limiter, from: visitor, hasSecret: true) == 20)
    }

    @Test func aBucketFillsEvenly() {
        let limiter = limiter(address: Rate(perSecond: 2, perMinute: 60), key: .unlimited)
        #expect(admitted(5, limiter, from: visitor) == 2)
        clock.advance(milliseconds: 500)
        #expect(admitted(5, limiter, from: visitor) == 1)
        clock.advance(milliseconds: 60_000)
        #expect(admitted(5, limiter, from: visitor) == 2)
    }

    @Test func aRefusalSaysWhatIsAllowedAndWhenToTryAgain() throws {
        let limiter = limiter(address: Rate(perMinute: 6), key: .unlimited)
        #expect(admitted(6, limiter, from: visitor) == 6)
        let failure = #expect(throws: Failure.self) { try limiter.admit(.createLink, of: orchard, from: visitor) }
        #expect(failure?.code == .rateLimited)
        #expect(failure?.retryAfter == 10)
        #expect(
            failure?.message
                == "Too many requests from one address with one key: creating links may come at 6/min. Please try again in 10 s.")
        clock.advance(milliseconds: 10_000)
        try limiter.admit(.createLink, of: orchard, from: visitor)
    }

    @Test func moreThanABucketHoldsTakesAllOfIt() throws {
        let limiter = limiter(address: Rate(perMinute: 10), key: .unlimited)
        try limiter.admit(.createLink, of: orchard, from: visitor, amount: 50)
        #expect(admitted(1, limiter, from: visitor) == 0)
        clock.advance(milliseconds: 60_000)
        #expect(admitted(20, limiter, from: visitor) == 10)
    }

    /// While single calls take a quarter of the rate, the bucket of a second is never full.
    @Test(arguments: [200, 1000])
    func aBulkIsAdmittedBesideSteadyTraffic(amount: Int) throws {
        let limiter = limiter(address: .unlimited, key: Rate(perSecond: 200, perMinute: 12_000))
        for _ in 0..<100 {
            try limiter.admit(.createLink, of: orchard, from: visitor)
            clock.advance(milliseconds: 20)
        }
        try limiter.admit(.createLink, of: orchard, from: visitor)
        try limiter.admit(.createLink, of: orchard, from: visitor, amount: amount)
    }

    /// One network sends bulks as fast as they are accepted, or a little slower, while users elsewhere create links one at a time.
    @Test(arguments: [199, 1000], [50, 550]) func bulksOfOneNetworkDoNotRefuseOthers(amount: Int, pause: Int) throws {
        let limiter = limiter(address: Rate(perSecond: 50, perMinute: 3000), key: Rate(perSecond: 200, perMinute: 12_000))
        var bulks = 0
        for step in 0..<400 {
            if step * 50 % pause == 0 {
                let sender = ClientAddress("203.0.113.\(step % 250)")!
                if (try? limiter.admit(.createLink, of: orchard, from: sender, amount: amount)) != nil { bulks += 1 }
            }
            let user = ClientAddress("198.51.\(step % 200).7")!
            for _ in 0..<4 { try limiter.admit(.createLink, of: orchard, from: user) }
            clock.advance(milliseconds: 50)
        }
        #expect(bulks > 1, "one client's bulks are accepted beside the users")
    }

    @Test func bulksWithTheSecretTakeAllOfTheirRate() throws {
        let limiter = limiter(address: .unlimited, key: .unlimited, secret: Rate(perMinute: 10))
        try limiter.admit(.createLink, of: orchard, from: visitor, hasSecret: true, amount: 50)
        #expect(admitted(1, limiter, from: visitor, hasSecret: true) == 0)
    }

    @Test func aDebtIsRepaidBeforeTheNextCallAndTheRefusalSaysWhen() throws {
        let limiter = limiter(address: Rate(perMinute: 12), key: .unlimited)
        #expect(admitted(6, limiter, from: visitor) == 6)
        // The bucket has 6 tokens left and owes 6 afterwards, at one every 5 s.
        try limiter.admit(.createLink, of: orchard, from: visitor, amount: 50)
        let single = #expect(throws: Failure.self) { try limiter.admit(.createLink, of: orchard, from: visitor) }
        #expect(single?.retryAfter == 35)
        let bulk = #expect(throws: Failure.self) { try limiter.admit(.createLink, of: orchard, from: visitor, amount: 50) }
        #expect(bulk?.retryAfter == 60)
        clock.advance(milliseconds: 34_999)
        #expect(admitted(1, limiter, from: visitor) == 0)
        clock.advance(milliseconds: 1)
        #expect(admitted(2, limiter, from: visitor) == 1)
    }

    @Test func bulksInARowAreBoundByTheirCountInTheLongerPeriods() {
        let limiter = limiter(address: Rate(perSecond: 50, perMinute: 3000, perHour: 9000), key: .unlimited)
        var admitted = 0
        for _ in 0..<3600 {
            if (try? limiter.admit(.createLink, of: orchard, from: visitor, amount: 1000)) != nil { admitted += 1000 }
            clock.advance(milliseconds: 1000)
        }
        // A full hour's bucket, and what flowed into it meanwhile.
        #expect((17_000...18_000).contains(admitted))
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.1.2.3"])
    func exemptNetworksAreNotLimited(address: String) {
        let limiter = limiter(
            address: Rate(perMinute: 1), key: Rate(perMinute: 1), exempt: ["127.0.0.0/8", "::1", "10.0.0.0/8"])
        #expect(admitted(100, limiter, from: ClientAddress(address)!) == 100)
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func loopbackIsExemptOnlyBySetting(address: String) {
        #expect(RateLimits().exempt.contains { $0.contains(ClientAddress(address)!) })
        let limiter = limiter(address: Rate(perMinute: 1), key: Rate(perMinute: 1))
        #expect(admitted(100, limiter, from: ClientAddress(address)!) == 1)
    }

    @Test func aFloodFromManyNetworksDoesNotEmptyTheKeysBucket() {
        let limiter = limiter(address: Rate(perHour: 1), key: Rate(perHour: 100))
        for number in 0..<20_000 as Range<UInt32> { _ = admitted(1, limiter, from: address(number)) }
        #expect(admitted(1, limiter, from: visitor) == 0)
    }

    @Test func aFloodFromManyNetworksDoesNotResetAnAddressThatHasUsedUpItsShare() {
        let limiter = limiter(address: Rate(perHour: 10), key: .unlimited)
        #expect(admitted(20, limiter, from: visitor) == 10)
        for number in 0..<20_000 as Range<UInt32> { _ = admitted(1, limiter, from: address(number)) }
        #expect(admitted(10, limiter, from: visitor) == 0)
    }

    @Test func bucketsOfAFloodMakeRoomOnceTheyHaveFilled() {
        let limiter = limiter(address: Rate(perMinute: 1), key: .unlimited)
        for number in 0..<20_000 as Range<UInt32> { _ = admitted(1, limiter, from: address(number)) }
        clock.advance(milliseconds: 60_000)
        let others = (0..<100).map { ClientAddress("198.51.\($0).1")! }
        #expect(others.map { admitted(5, limiter, from: $0) } == Array(repeating: 1, count: 100))
    }

    @Test func refusalsAreCountedByReasonAndLoggedOnceAMinute() async throws {
        let (log, clock) = (LogRecorder(), LindenTesting.TestClock())
        let refusals = RefusalMonitor(clock: clock.clock, logger: log.logger)
        var limits = RateLimits()
        limits[.createLink] = RateLimits.Allowed(address: Rate(perMinute: 1), key: Rate(perMinute: 1))
        let limiter = RateLimiter(limits: limits, refusals: refusals) { 1_000_000_000_000 }
        for _ in 0..<200 {
            #expect(admitted(3, limiter, from: visitor) <= 1)
            refusals.report()
        }
        #expect(refusals.totals == [.rate(.createLink, .keyAndAddress): 599])
        #expect(log.messages.count == 1)
        clock.advance(by: .seconds(61))
        refusals.report()
        refusals.report()
        #expect(log.messages.count == 2)
        #expect(log.messages.last?.contains("limits.create_link.address") == true)
        #expect(log.messages.last?.contains("598") == true || log.messages.last?.contains("597") == true)
    }

    @Test func whetherVisitsAreRefusedIsAskedForNothing() throws {
        var limits = RateLimits(exempt: [Network("198.51.100.0/24")!])
        limits[.visit].address = Rate(perMinute: 2)
        let limiter = RateLimiter(limits: limits) { [clock] in clock.now }
        for _ in 1...2 {
            for _ in 1...5 { #expect(limiter.refusalOfVisit(from: visitor, query: nil) == nil) }
            try limiter.admitVisit(from: visitor, query: nil)
        }
        #expect(limiter.refusalOfVisit(from: visitor, query: nil) != nil)
        #expect(throws: Failure.self) { try limiter.admitVisit(from: visitor, query: nil) }
        #expect(limiter.refusalOfVisit(from: ClientAddress("198.51.100.1")!, query: nil) == nil)
        #expect(limiter.refusalOfVisit(from: .unknown, query: nil) == nil)
        clock.advance(milliseconds: 30_000)
        #expect(limiter.refusalOfVisit(from: visitor, query: nil) == nil)
    }

    @Test(
        arguments: [
            (nil, 1), ("utm_source=mail", 1), (String(repeating: "p", count: 1024), 2), (String(repeating: "a&", count: 255), 16),
            (Array(repeating: "pear=" + String(repeating: "g", count: 59), count: 252).joined(separator: "&"), 31),
        ] as [(String?, Int)])
    func aVisitWithALongQueryCountsAsSeveral(query: String?, visits: Int) throws {
        var limits = RateLimits()
        limits[.visit].address = Rate(perMinute: 32)
        let limiter = RateLimiter(limits: limits) { [clock] in clock.now }
        try limiter.admitVisit(from: visitor, query: query)
        for _ in visits..<32 { try limiter.admitVisit(from: visitor, query: nil) }
        #expect(limiter.refusalOfVisit(from: visitor, query: nil) != nil)
    }

    /// What the event loop refuses, and what the limits would, are the same.
    @Test func aVisitThatCountsAsMoreThanAreLeftIsRefused() {
        var limits = RateLimits()
        limits[.visit].address = Rate(perMinute: 64)
        let limiter = RateLimiter(limits: limits) { [clock] in clock.now }
        var admitted = 0
        for step in 0..<40 {
            let query = String(repeating: "a&", count: [10, 255, 100][step % 3])
            let isRefused = limiter.refusalOfVisit(from: visitor, query: query) != nil
            let isAdmitted = (try? limiter.admitVisit(from: visitor, query: query)) != nil
            #expect(isAdmitted != isRefused)
            admitted += isAdmitted ? 1 : 0
            clock.advance(milliseconds: 2000)
        }
        #expect((5..<40).contains(admitted))
    }

    @Test(arguments: ["198.51.100.%", "2001:db8:1:%::1"]) func visitsOfAWholeSiteAreRefusedTogether(pattern: String) throws {
        var limits = RateLimits()
        limits[.visit].address = Rate(perMinute: 2)
        let limiter = RateLimiter(limits: limits) { [clock] in clock.now }
        let addresses = (0..<40).map { ClientAddress(pattern.replacing("%", with: String($0)))! }
        let admitted = addresses.filter { address in
            let isRefusing = limiter.refusalOfVisit(from: address, query: nil) != nil
            let isAdmitted = (try? limiter.admitVisit(from: address, query: nil)) != nil
            #expect(isAdmitted != isRefusing)
            return isAdmitted
        }
        #expect(admitted.count == 16)
        #expect(limiter.refusalOfVisit(from: ClientAddress("2001:db8:2::1")!, query: nil) == nil)
    }

    @Test func aFloodFromManyNetworksDoesNotFillTheMemory() {
        let limiter = limiter(address: Rate(perHour: 1), key: .unlimited)
        for number in 0..<25_000 as Range<UInt32> {
            _ = admitted(1, limiter, from: address(number))
        }
        #expect(limiter.bucketCount < 20_000)
    }

    @Test(arguments: ["200/s", "200/s 12000/min 300000/h", "150/h", "off"])
    func aRateIsReadAsItIsWritten(text: String) throws {
        #expect(try Rate(text).text == text)
    }

    @Test(arguments: ["", "200", "200/day", "0/s", "-1/s", "200/s 300/s", "x/s"])
    func whatIsNoRateIsRefused(text: String) {
        #expect(throws: Failure.self) { try Rate(text) }
    }

    private func address(_ number: UInt32) -> ClientAddress {
        let bytes = (0..<4).map { number >> (8 * $0) & 0xFF }
        return ClientAddress("\(bytes[3] + 1).\(bytes[2]).\(bytes[1]).\(bytes[0])")!
    }

    private func limiter(address: Rate, key: Rate, secret: Rate = .unlimited, exempt: [String] = []) -> RateLimiter {
        var limits = RateLimits(exempt: exempt.map { Network($0)! })
        limits[.createLink] = RateLimits.Allowed(address: address, key: key, secret: secret)
        return RateLimiter(limits: limits, buckets: 16_000) { [clock] in clock.now }
    }

    private func admitted(
        _ calls: Int, _ limiter: RateLimiter, of scope: Scope? = nil, from address: ClientAddress, hasSecret: Bool = false
    ) -> Int {
        (0..<calls).count { _ in
            (try? limiter.admit(.createLink, of: scope ?? orchard, from: address, hasSecret: hasSecret)) != nil
        }
    }
}

private final class TestClock: Sendable {
    private let time = Mutex<Int64>(1_000_000_000_000)

    var now: Int64 { time.withLock { $0 } }

    func advance(milliseconds: Int64) {
        time.withLock { $0 += milliseconds * 1_000_000 }
    }
}
