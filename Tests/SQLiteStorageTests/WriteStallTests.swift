import Foundation
import LindenKernel
import LindenServices
import LindenTesting
import SQLStorage
import SQLiteStorage
import Testing

/// A writer that does not get on differs from one that has much to do.
@Suite struct WriteStallTests {
    @Test func aWriteThatBlocksIsAStallUntilItSucceeds() async throws {
        try await Installation.run { installation in
            let storage = installation.storage
            let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            #expect(storage.writeStall == .zero)

            async let blocked: Void = storage.write { _ in
                isBusy.signal()
                mayGoOn.wait()
            }
            await wait(for: isBusy)
            try await Task.sleep(for: .milliseconds(50))
            #expect(storage.writeStall >= .milliseconds(50))

            mayGoOn.signal()
            try await blocked
            #expect(storage.writeStall == .zero)
        }
    }

    @Test func aFloodOfWritesIsNoStall() async throws {
        try await Installation.run { installation in
            let storage = installation.storage
            let end = ContinuousClock.now + .seconds(2)
            let longest = try await withThrowingTaskGroup(of: Duration.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        var longest = Duration.zero
                        while ContinuousClock.now < end {
                            try await storage.write { _ in _ = usleep(200) }
                            longest = max(longest, storage.writeStall)
                        }
                        return longest
                    }
                }
                return try await group.reduce(.zero, max)
            }
            #expect(longest < .seconds(1))
        }
    }

    private func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
