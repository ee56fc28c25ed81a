import Linden
import Synchronization

/// A storage whose writes a test can observe, delay or fail, and whose reads it can count.
package final class HookedStorage: Storage {
    private let storage: any Storage
    private let beforeWrite: @Sendable (Int) async throws -> Void
    private let reads = Mutex(0)
    private let writes = Mutex(0)
    private let failingScrubs: Mutex<Int>

    /// - Parameters:
    ///   - scrubs: the number of calls of ``purgeWriteAheadLog()`` that fail as if a reader were active.
    ///   - beforeWrite: called before each write with its number, from 0 on; the write fails if it throws.
    package init(
        _ storage: any Storage, failingScrubs scrubs: Int = 0,
        beforeWrite: @escaping @Sendable (Int) async throws -> Void = { _ in }
    ) {
        self.storage = storage
        self.beforeWrite = beforeWrite
        failingScrubs = Mutex(scrubs)
    }

    /// The number of calls of ``read(_:)`` so far.
    package var readCount: Int { reads.withLock { $0 } }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (any Reader) throws -> Value) async throws -> Value {
        reads.withLock { $0 += 1 }
        return try await storage.read(body)
    }

    package func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any Reader) throws -> Value
    ) async throws -> Value {
        try await storage.analyze(scope, body)
    }

    package func write<Value: Sendable>(_ body: @escaping @Sendable (any Transaction) throws -> Value) async throws -> Value {
        try await beforeWrite(
            writes.withLock { number in
                defer { number += 1 }
                return number
            })
        return try await storage.write(body)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Transaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        Task {
            do {
                let value = try await write(body)
                deliver(.success(value))
            } catch {
                deliver(.failure(error))
            }
        }
    }

    package func purgeWriteAheadLog() async throws -> Bool {
        let fails = failingScrubs.withLock { left in
            defer { left = max(0, left - 1) }
            return left > 0
        }
        return fails ? false : try await storage.purgeWriteAheadLog()
    }

    package var writeProblem: String? { storage.writeProblem }

    package var foreignChanges: Int { storage.foreignChanges }
}
