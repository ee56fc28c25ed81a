import Linden
import LindenKernel
import LindenServices
import Synchronization

/// A storage whose writes a test can observe, delay or fail, and whose reads it can count.
package final class HookedStorage: Database {
    private let storage: any Database
    private let beforeRead: @Sendable () async throws -> Void
    private let beforeWrite: @Sendable (Int) async throws -> Void
    private let reads = Mutex(0)
    private let questions = Mutex(0)
    private let writes = Mutex(0)
    private let mayPurge: @Sendable () -> Bool

    /// - Parameters:
    ///   - beforeWrite: called before each write with its number, from 0 on; the write fails if it throws.
    ///   - beforeRead: called before each call of ``read(_:)``.
    ///   - mayPurge: called before each purge of the log, which fails as if a reader were active if it returns false.
    package init(
        _ storage: any Database,
        beforeWrite: @escaping @Sendable (Int) async throws -> Void = { _ in },
        beforeRead: @escaping @Sendable () async throws -> Void = {},
        mayPurge: @escaping @Sendable () -> Bool = { true }
    ) {
        self.storage = storage
        self.beforeRead = beforeRead
        self.beforeWrite = beforeWrite
        self.mayPurge = mayPurge
    }

    /// The number of calls of ``read(_:)`` so far.
    package var readCount: Int { reads.withLock { $0 } }

    /// The number of calls of ``analyze(_:_:)`` so far.
    package var questionCount: Int { questions.withLock { $0 } }

    package func read<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseReader) throws -> Value) async throws -> Value {
        reads.withLock { $0 += 1 }
        try await beforeRead()
        return try await storage.read(body)
    }

    package func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any DatabaseReader) throws -> Value
    ) async throws -> Value {
        questions.withLock { $0 += 1 }
        return try await storage.analyze(scope, body)
    }

    package func write<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value) async throws -> Value
    {
        try await beforeWrite(
            writes.withLock { number in
                defer { number += 1 }
                return number
            })
        return try await storage.write(body)
    }

    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value,
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
        mayPurge() ? try await storage.purgeWriteAheadLog() : false
    }

    package var writeProblem: String? { storage.writeProblem }

    package var writeStall: Duration { storage.writeStall }

    package var foreignChanges: Int { storage.foreignChanges }
}
