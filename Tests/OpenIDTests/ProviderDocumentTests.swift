import LindenKernel
import Synchronization
import Testing

@testable import OpenID

/// A provider's documents are read seldom, however many people want to sign in.
@Suite struct ProviderDocumentTests {
    /// A provider that counts its readers, and a clock.
    private final class Provider: Sendable {
        private let state = Mutex((reads: 0, isDown: false, now: Timestamp(milliseconds: 1_800_000_000_000)))

        var reads: Int { state.withLock { $0.reads } }
        var clock: WallClock { WallClock { self.state.withLock { $0.now } } }

        func advance(by duration: Duration) { state.withLock { $0.now = $0.now + duration } }
        func set(isDown: Bool) { state.withLock { $0.isDown = isDown } }

        func read() async throws -> Int {
            await Task.yield()
            return try state.withLock { state in
                state.reads += 1
                if state.isDown { throw Failure.unavailable("It is down.") }
                return state.reads
            }
        }
    }

    private static func document(_ provider: Provider) -> ProviderDocument<Int> {
        ProviderDocument(clock: provider.clock) { try await provider.read() }
    }

    @Test func itIsReadOnceForAllWhoWaitAndForAnHour() async throws {
        let provider = Provider()
        let document = Self.document(provider)
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...50 { group.addTask { try await document.value() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values == Array(repeating: 1, count: 50) && provider.reads == 1)
        provider.advance(by: .seconds(3599))
        #expect(try await document.value() == 1)
        provider.advance(by: .seconds(1))
        #expect(try await document.value() == 2)
    }

    @Test func aNewerOneIsReadOnlyIfTheKnownOneIsOldEnough() async throws {
        let provider = Provider()
        let document = Self.document(provider)
        #expect(try await document.value() == 1)
        provider.advance(by: .seconds(59))
        #expect(try await document.value(notOlderThan: .seconds(60)) == 1)
        provider.advance(by: .seconds(1))
        #expect(try await document.value(notOlderThan: .seconds(60)) == 2)
    }

    @Test func afterAFailureItIsLeftAloneForSomeSeconds() async throws {
        let provider = Provider()
        let document = Self.document(provider)
        provider.set(isDown: true)
        for _ in 1...20 { await #expect(throws: Failure.self) { try await document.value() } }
        #expect(provider.reads == 1)
        provider.set(isDown: false)
        provider.advance(by: .seconds(4))
        await #expect(throws: Failure.self) { try await document.value() }
        provider.advance(by: .seconds(1))
        #expect(try await document.value() == 2)
    }
}
