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

    @Test func callsThatWaitForMoreThanASecondAreLoggedOnceAMinute() async throws {
        let log = LogRecorder()
        let storage = try SQLiteStorage(path: ":memory:", options: SQLiteOptions(creates: true), logger: log.logger)
        let (isBusy, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let blocked: Void = storage.write { _ in
            isBusy.signal()
            mayGoOn.wait()
        }
        await wait(for: isBusy)
        async let others: Void = withThrowingTaskGroup(of: Void.self) { group in
            for site: UInt64? in [nil, 1, 1] {
                group.addTask {
                    try await CallOrigin.$current.withValue(site.map(CallOrigin.init)) { try await storage.write { _ in } }
                }
            }
            try await group.waitForAll()
        }
        while storage.waitingWrites < 3 { try await Task.sleep(for: .milliseconds(1)) }
        storage.reportWaitingWrites()
        func lines() -> [String] { log.messages.filter { $0.contains("Calls wait long") } }
        #expect(lines().isEmpty)

        try await Task.sleep(for: .milliseconds(1100))
        for _ in 1...3 { storage.reportWaitingWrites() }
        #expect(lines().count == 1 && lines()[0].contains("\"waiting\": 3"), "\(log.messages)")

        mayGoOn.signal()
        try await blocked
        try await others
        #expect(storage.longestWriteWait == .zero)
        await storage.shutdown()
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
