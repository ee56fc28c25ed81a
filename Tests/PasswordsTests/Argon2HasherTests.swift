import Foundation
import LindenKernel
import Synchronization
import Testing

@testable import Passwords

@Suite struct Argon2HasherTests {
    @Test func equalPasswordsHaveDifferentHashes() async throws {
        let hasher = Argon2Hasher()
        let hashes = [
            try await hasher.hash("an orchard in bloom", for: nil), try await hasher.hash("an orchard in bloom", for: nil),
        ]
        #expect(hashes[0] != hashes[1])
        for hash in hashes {
            #expect(try await hasher.verify("an orchard in bloom", against: hash, for: nil))
            #expect(try await !hasher.verify("a meadow in bloom", against: hash, for: nil))
        }
    }

    @Test func withoutAHashNoPasswordIsRight() async throws {
        for password in ["", "an orchard in bloom"] {
            #expect(try await !Argon2Hasher().verify(password, against: nil, for: nil))
        }
    }

    @Test func twoPasswordsAreHashedAtATimeAndTheRestWait() async throws {
        let hasher = Argon2Hasher()
        let running = Shared((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await hasher.run(for: nil) {
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

    /// 512 passwords from 64 networks, of which 2 are checked and 256 wait.
    @Test func aFloodFromManyNetworksLeavesAPlaceToOthers() async throws {
        let hasher = Argon2Hasher()
        let isClosed = Shared(true)
        let refusedCount = 512 - Argon2Hasher.lanes - Argon2Hasher.mostWaiting.ofAll
        let administrator = client(1000)
        await withTaskGroup(of: (client: ClientNetwork, failure: Failure.Code?).self) { group in
            for number in 0..<512 { group.addTask { await attempt(client(number % 64), hasher, while: isClosed) } }
            for _ in 0..<refusedCount {
                let refused = await group.next()
                #expect(refused?.failure == .unavailable)
            }
            group.addTask { await attempt(administrator, hasher, while: isClosed) }
            let refused = await group.next()
            #expect(refused?.failure == .unavailable, "a password of the flood made room")
            #expect(refused?.client != administrator)
            isClosed.value.withLock { $0 = false }
            var checked: Set<ClientNetwork> = []
            for await attempt in group where attempt.failure == nil { checked.insert(attempt.client) }
            #expect(checked.count == 65)
            #expect(checked.contains(administrator))
        }
        // It works again afterwards.
        _ = try await hasher.hash("an orchard in bloom", for: nil)
    }

    /// Occupies a lane, or waits for one, until `isClosed` is false.
    private func attempt(
        _ client: ClientNetwork, _ hasher: Argon2Hasher, while isClosed: Shared<Bool>
    ) async -> (client: ClientNetwork, failure: Failure.Code?) {
        do {
            try await hasher.run(for: client) { while isClosed.value.withLock({ $0 }) { usleep(1000) } }
            return (client, nil)
        } catch {
            return (client, (error as? Failure)?.code)
        }
    }

    private func client(_ number: Int) -> ClientNetwork { ClientNetwork(ClientAddress("10.\(number / 256).\(number % 256).7")!) }
}

/// A value that the tasks of a test share.
private final class Shared<Value: Sendable>: Sendable {
    let value: Mutex<Value>

    init(_ value: Value) {
        self.value = Mutex(value)
    }
}
