import Linden
import LindenKernel
import Synchronization
import Testing

@testable import Server

/// Event-stream listeners that read pages of the log, because they are behind.
@Suite struct CatchUpTurnsTests {
    private let turns = CatchUpTurns()

    @Test func twoPagesAreReadAtATime() async throws {
        let running = Count()
        try await withThrowingTaskGroup(of: Void.self) { [turns] group in
            for number in 0..<100 {
                group.addTask {
                    try await turns.perform(of: App.ID(rawValue: Int64(number % 3))) {
                        #expect(running.add(1) <= 2)
                        await Task.yield()
                        running.add(-1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(.timeLimit(.minutes(1))) func aPageThatFailsEndsItsTurn() async throws {
        struct Unreadable: Error {}
        for _ in 0..<10 {
            await #expect(throws: Unreadable.self) { try await turns.perform(of: App.ID(rawValue: 1)) { throw Unreadable() } }
        }
        #expect(try await turns.perform(of: App.ID(rawValue: 1)) { 7 } == 7)
    }
}
