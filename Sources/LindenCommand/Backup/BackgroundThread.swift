import Foundation

/// Work that blocks its thread and gives way to requests.
enum BackgroundThread {
    /// Runs a closure on a thread of its own, at the lowest priority.
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                #if os(Linux)
                    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
                #endif
                continuation.resume(with: Result { try body() })
            }
        }
    }
}
