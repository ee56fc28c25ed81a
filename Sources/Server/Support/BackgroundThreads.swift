import Foundation
import NIOCore
import NIOPosix

/// Threads for what takes milliseconds and more: pages, pictures, the rows of exports. They have a low priority: redirects
/// and SDK calls go first.
final class BackgroundThreads: TaskExecutor {
    static let shared = BackgroundThreads()

    private let pool: NIOThreadPool

    private init() {
        pool = NIOThreadPool(numberOfThreads: max(2, System.coreCount))
        pool.start()
    }

    /// Calls a closure on one of the threads, once.
    func submit(_ body: @escaping @Sendable () -> Void) {
        pool.submit { _ in
            Self.giveWay()
            body()
        }
    }

    /// Runs a closure on one of the threads.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit { continuation.resume(with: Result(catching: body)) }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        submit { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Lowers the priority of the calling thread. The pool does not say when a thread starts, and the call takes less than a microsecond.
    private static func giveWay() {
        #if os(Linux)
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #endif
    }
}
