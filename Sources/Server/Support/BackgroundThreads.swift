import Foundation
import NIOCore
import NIOPosix

/// Low-priority threads for work that takes milliseconds or more: pages, images, rows of exports. Redirects and SDK calls come first.
final class BackgroundThreads: TaskExecutor {
    static let shared = BackgroundThreads()

    private let pool: NIOThreadPool

    private init() {
        pool = NIOThreadPool(numberOfThreads: max(2, System.coreCount))
        pool.start()
    }

    /// Calls a closure once on one of the threads.
    func submit(_ body: @escaping @Sendable () -> Void) {
        pool.submit { _ in
            Self.giveWay()
            body()
        }
    }

    /// Runs a closure on one of the threads and returns its result.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            submit { continuation.resume(with: Result(catching: body)) }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        submit { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Lowers the priority of the calling thread. Called with every job, since the pool does not report when a thread starts; takes less
    /// than a microsecond.
    private static func giveWay() {
        #if os(Linux)
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #endif
    }
}
