import LindenKernel
import LindenTesting
import Synchronization
import Testing

@Suite struct SecondCacheTests {
    @Test func aValueIsDeterminedOnceASecondHoweverManyAsk() async throws {
        let (cache, clock) = (SecondCache<Int>(), TestClock())
        let count = Counter()
        let values = try await withThrowingTaskGroup(of: Int.self, returning: Set<Int>.self) { group in
            for _ in 0..<100 { group.addTask { try await cache.value(at: clock.now) { count.next() } } }
            var values: Set<Int> = []
            for try await value in group { values.insert(value) }
            return values
        }
        #expect(values == [1])
        clock.advance(by: .milliseconds(999))
        #expect(try await cache.value(at: clock.now) { count.next() } == 1)
        clock.advance(by: .milliseconds(1))
        #expect(try await cache.value(at: clock.now) { count.next() } == 2)
    }

    @Test func aFailureIsKeptAsLong() async throws {
        let (cache, clock) = (SecondCache<Int>(), TestClock())
        await #expect(throws: Failure.self) { try await cache.value(at: clock.now) { throw Failure.unavailable("closed") } }
        await #expect(throws: Failure.self) { try await cache.value(at: clock.now) { 1 } }
        clock.advance(by: .seconds(1))
        #expect(try await cache.value(at: clock.now) { 1 } == 1)
    }

    @Test func whoAsksForAValueThatTakesTooLongIsNotHeldAndItIsDeterminedOnce() async throws {
        let (cache, clock, count) = (SecondCache<Int>(), TestClock(), Counter())
        let (answers, answer) = AsyncStream<Void>.makeStream()
        func value(within limit: Duration) async throws -> Int {
            try await cache.value(at: clock.now, within: limit, orFail: .unavailable("closed")) {
                for await _ in answers {}
                return count.next()
            }
        }
        for _ in 0..<3 {
            await #expect(throws: Failure.self) { try await value(within: .milliseconds(10)) }
            clock.advance(by: .seconds(2))
        }

        answer.finish()

        #expect(try await value(within: .seconds(60)) == 1)
    }

    /// Each timer would be held for as long as the limit.
    @Test func allWhoWaitShareOneTimer() async throws {
        let (cache, clock) = (SecondCache<Int>(), TestClock())
        let (answers, answer) = AsyncStream<Void>.makeStream()
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 {
                group.addTask {
                    await #expect(throws: Failure.self) {
                        try await cache.value(at: clock.now, within: .milliseconds(100), orFail: .unavailable("closed")) {
                            for await _ in answers {}
                            return 1
                        }
                    }
                }
            }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        answer.finish()
    }
}

private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
