import Foundation
import NIOCore
import NIOPosix

/// Low-priority threads for work that takes milliseconds or more. Redirects and SDK calls come first.
///
/// Each kind of work has its own threads, so that many exports or pictures do not delay pages.
final class BackgroundThreads: TaskExecutor {
    static let pages = BackgroundThreads(count: max(2, System.coreCount))
    /// Those of the dashboard, whose pages would otherwise wait behind each part of all exports.
    static let dashboard = BackgroundThreads(count: max(2, System.coreCount))
    /// As many as for pages: with one, the first part of a large export keeps all other exports waiting.
    static let exports = BackgroundThreads(count: max(2, System.coreCount))
    /// Those of questions and files of links, which take seconds without a pause.
    static let analytics = BackgroundThreads(count: max(2, System.coreCount))
    /// Threads that draw QR codes as images and decode their logos. QR codes that are part of a page are drawn with it.
    /// Used by ``PictureQueue`` alone.
    static let pictures = BackgroundThreads(count: pictureCount)
    static let pictureCount = max(1, System.coreCount / 2)

    private let pool: NIOThreadPool

    private init(count: Int) {
        pool = NIOThreadPool(numberOfThreads: count)
        pool.start()
    }

    /// Calls a closure once on one of the threads.
    func submit(_ body: @escaping @Sendable () -> Void) {
        pool.submit { _ in
            Self.giveWay()
            body()
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
