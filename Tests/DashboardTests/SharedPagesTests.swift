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
                try await pages.page(of: id, at: Timestamp(milliseconds: Int64(second) * 1000)) {
                    attempts.withLock { $0 += 1 }
                    throw Failure.invalid("The question has no answer.")
                }
            }
            #expect(attempts.withLock { $0 } == expected)
        }
    }
}
