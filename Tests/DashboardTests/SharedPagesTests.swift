import Linden
import LindenKernel
import LindenServices
import Synchronization
import Testing

@testable import Dashboard

@Suite struct SharedPagesTests {
    /// Anyone may read a shared page as often as they like, also one that cannot be made.
    @Test func aFailureIsRepeatedForSomeSecondsWithoutAnotherAttempt() async throws {
        let pages = SharedPages()
        let attempts = Mutex(0)
        let id = SharedQuestion.ID(rawValue: 7)
        for (second, expected) in [(0, 1), (4, 1), (6, 2)] {
            await #expect(throws: Failure.self) {
                try await pages.page(of: id, Identifier(rawValue: 1), at: Timestamp(milliseconds: Int64(second) * 1000)) {
                    attempts.withLock { $0 += 1 }
                    throw Failure.invalid("The question has no answer.")
                }
            }
            #expect(attempts.withLock { $0 } == expected)
        }
    }

    /// A customer's questions may take long.
    @Test func thePagesOfOneAppDoNotKeepThoseOfOthersFromBeingMade() async throws {
        let pages = SharedPages()
        let (slow, others): (App.ID, App.ID) = (Identifier(rawValue: 1), Identifier(rawValue: 2))
        let now = Timestamp(milliseconds: 0)
        // A stream for each of them, since a stream has one reader.
        let ends = (1...SharedPages.mostMadeOfApp).map { _ in AsyncStream<Void>.makeStream() }
        let (begun, begin) = AsyncStream<Void>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (id, end) in ends.enumerated() {
                group.addTask {
                    _ = try await pages.page(of: Identifier(rawValue: Int64(id)), slow, at: now) {
                        begin.yield()
                        for await _ in end.stream {}
                        return .seeOther("/")
                    }
                }
            }
            var isBegun = begun.makeAsyncIterator()
            for _ in ends { await isBegun.next() }
            await #expect(throws: Failure.self) {
                try await pages.page(of: Identifier(rawValue: 98), slow, at: now) { .seeOther("/") }
            }
            _ = try await pages.page(of: Identifier(rawValue: 99), others, at: now) { .seeOther("/") }
            for end in ends { end.continuation.finish() }
            try await group.waitForAll()
        }
        _ = try await pages.page(of: Identifier(rawValue: 98), slow, at: now + .seconds(6)) { .seeOther("/") }
    }
}
