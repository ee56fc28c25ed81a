import Foundation
import LindenKernel
import Synchronization
import Testing

@testable import Passwords

@Suite struct Argon2HasherTests {
    @Test func equalPasswordsHaveDifferentHashes() async throws {
        let hasher = Argon2Hasher()
        let hashes = [try await hasher.hash("an orchard in bloom"), try await hasher.hash("an orchard in bloom")]
        #expect(hashes[0] != hashes[1])
        for hash in hashes {
            #expect(try await hasher.verify("an orchard in bloom", against: hash))
            #expect(try await !hasher.verify("a meadow in bloom", against: hash))
        }
    }

    @Test func withoutAHashNoPasswordIsRight() async throws {
        for password in ["", "an orchard in bloom"] {
            #expect(try await !Argon2Hasher().verify(password, against: nil))
        }
    }

    @Test func twoPasswordsAreHashedAtATimeAndTheRestWait() async throws {
        let hasher = Argon2Hasher()
        let running = Shared((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    try await hasher.run {
                        running.value.withLock { running in
                            running.now += 1
                            running.most = max(running.most, running.now)
                        }
                        _ = try Argon2.hash("an orchard in bloom", salt: Array("a salt of 16 by.".utf8))
                        running.value.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.value.withLock { $0.most } <= 2)
    }

    @Test func aFullQueueRefusesFurtherPasswords() async throws {
        let hasher = Argon2Hasher()
        let most = Argon2Hasher.lanes * (Argon2Hasher.mostWaiting + 1)
        let isClosed = Shared(true)
        let results = await withTaskGroup(of: Failure.Code?.self) { group in
            for _ in 0..<most + 8 {
                group.addTask {
                    do {
                        // Each of the first ones occupies its lane until the rest is refused.
                        try await hasher.run { while isClosed.value.withLock({ $0 }) { usleep(1000) } }
                        return nil
                    } catch {
                        return (error as? Failure)?.code
                    }
                }
            }
            var results: [Failure.Code?] = []
            for await result in group {
                results.append(result)
                if results.count == 8 { isClosed.value.withLock { $0 = false } }
            }
            return results
        }
        #expect(results.prefix(8).allSatisfy { $0 == .unavailable })
        #expect(results.dropFirst(8).allSatisfy { $0 == nil })
        // It works again afterwards.
        _ = try await hasher.hash("an orchard in bloom")
    }
}

/// A value that the tasks of a test share.
private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}
