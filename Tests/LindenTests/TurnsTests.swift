import Linden
import Synchronization
import Testing

/// Questions about one app take turns; those about another do not wait for them.
@Suite struct TurnsTests {
    private let turns = Turns<String>(mostWaiting: 100)

    @Test func oneCallerOfAKeyRunsAtATime() async throws {
        let running = Mutex(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { [turns] in
                    try await turns.run("pear") {
                        #expect(
                            running.withLock {
                                $0 += 1; return $0
                            } == 1)
                        await Task.yield()
                        running.withLock { $0 -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func anotherKeyDoesNotWait() async throws {
        let value = try await turns.run("pear") { [turns] in try await turns.run("apple") { 7 } }
        #expect(value == 7)
    }

    @Test func aFailureEndsATurn() async throws {
        await #expect(throws: Failure.self) { try await turns.run("pear") { throw Failure.invalid("no") } }
        #expect(try await turns.run("pear") { 7 } == 7)
    }

    @Test func tooManyWaitersAreRefused() async throws {
        let turns = Turns<String>(mostWaiting: 0)
        try await turns.run("pear") {
            await #expect(throws: Failure.self) { try await turns.run("pear") { 7 } }
        }
        #expect(try await turns.run("pear") { 7 } == 7)
    }
}
