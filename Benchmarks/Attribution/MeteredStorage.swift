import Foundation
import Linden
import LindenKernel
import LindenServices
import Synchronization

/// CPU time in nanoseconds.
enum CPUTime {
    /// The time of all threads of this process.
    static var process: Int64 { read(CLOCK_PROCESS_CPUTIME_ID) }
    static var thread: Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A storage that adds up the CPU time of its write transactions, without their commits.
final class MeteredStorage: Database {
    private let storage: any Database
    private let spent = Atomic<Int64>(0)

    init(_ storage: any Database) {
        self.storage = storage
    }

    /// Returns the nanoseconds spent since the last call.
    func takeSpent() -> Int64 { spent.exchange(0, ordering: .relaxed) }

    func read<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseReader) throws -> Value) async throws -> Value {
        try await storage.read(body)
    }

    /// The benchmark sends no such questions.
    func analyze<Value: Sendable>(
        _ scope: Scope, _ body: @escaping @Sendable (any DatabaseReader) throws -> Value
    ) async throws -> Value {
        try await storage.read(body)
    }

    func write<Value: Sendable>(_ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value) async throws -> Value {
        try await storage.write(metered(body))
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value,
        then deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        storage.write(metered(body), then: deliver)
    }

    private func metered<Value: Sendable>(
        _ body: @escaping @Sendable (any DatabaseTransaction) throws -> Value
    ) -> @Sendable (any DatabaseTransaction) throws -> Value {
        { transaction in
            let start = CPUTime.thread
            defer { self.spent.add(CPUTime.thread - start, ordering: .relaxed) }
            return try body(transaction)
        }
    }

    func purgeWriteAheadLog() async throws -> Bool { try await storage.purgeWriteAheadLog() }
    var writeProblem: String? { storage.writeProblem }

    var writeStall: Duration { storage.writeStall }
    var foreignChanges: Int { storage.foreignChanges }
}
