import LindenKernel
import Synchronization
import Testing

/// Questions about one app take turns; those about another do not wait for them.
@Suite struct TurnsTests {
    private let turns = Turns<String>(mostWaiting: 100, refusal: "busy")

    @Test func oneCallerOfAKeyRunsAtATime() async throws {
        let callers = Callers()
        try await withThrowingTaskGroup(of: Void.self) { [turns] group in
            for _ in 0..<50 {
                group.addTask {
                    try await turns.run("pear") {
                        #expect(callers.enter() == 1)
                        await Task.yield()
                        callers.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func someCallersMayRunTogether() async throws {
        let (turns, callers) = (Turns<AllCallers>(atOnce: 2, mostWaiting: 100, refusal: "busy"), Callers())
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await turns.run {
                        let running = callers.enter()
                        try await Task.sleep(for: .milliseconds(1))
                        callers.leave()
                        return running
                    }
                }
            }
            return try await group.reduce(0, max)
        }
        #expect(most == 2)
        #expect(try await turns.run { 7 } == 7, "all have left")
    }

    @Test func anotherKeyDoesNotWait() async throws {
        let value = try await turns.run("pear") { [turns] in try await turns.run("apple") { 7 } }
        #expect(value == 7)
    }

    /// All others would wait for the queue in which it waits.
    @Test func aCallerWithATurnOfAllCallersComesFirst() async throws {
        let (all, order) = (Turns<AllCallers>(mostWaiting: 100, refusal: "busy"), Order())
        let tasks = try await turns.run("pear") { [turns] in
            var tasks = (0..<5).map { _ in Task { try await turns.run("pear") { order.add("other") } } }
            while await turns.waiting(for: "pear") < 5 { await Task.yield() }
            tasks.append(Task { try await all.run { try await turns.run("pear") { order.add("holder") } } })
            while await turns.waiting(for: "pear") < 6 { await Task.yield() }
            return tasks
        }
        for task in tasks { try await task.value }
        #expect(order.names == ["holder"] + Array(repeating: "other", count: 5))
    }

    @Test func aFailureEndsATurn() async throws {
        await #expect(throws: Failure.self) { try await turns.run("pear") { throw Failure.invalid("no") } }
        #expect(try await turns.run("pear") { 7 } == 7)
    }

    /// As at the stop of a server.
    @Test func aCancelledCallerDoesNotRun() async throws {
        let cancelled = try await turns.run("pear") { [turns] in
            let waiting = Task { try await turns.run("pear") { Issue.record("A cancelled caller ran.") } }
            waiting.cancel()
            return waiting
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await turns.run("pear") { 7 } == 7)
    }

    @Test func tooManyWaitersAreRefused() async throws {
        let turns = Turns<String>(mostWaiting: 0, refusal: "busy")
        _ = try await turns.run("pear") {
            await #expect(throws: Failure.self) { try await turns.run("pear") { 7 } }
        }
        #expect(try await turns.run("pear") { 7 } == 7)
    }
}

/// Counts how many run at the same time.
private final class Callers: Sendable {
    private let count = Mutex(0)

    func enter() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }

    func leave() { count.withLock { $0 -= 1 } }
}

private final class Order: Sendable {
    private let list = Mutex<[String]>([])

    var names: [String] { list.withLock { $0 } }

    func add(_ name: String) { list.withLock { $0.append(name) } }
}
