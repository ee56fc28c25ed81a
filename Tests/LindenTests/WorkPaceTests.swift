import Dispatch
import LindenKernel
import Synchronization
import Testing

/// Long work on threads that others use, too.
@Suite struct WorkPaceTests {
    @Test func longWorkLetsOthersUseItsThread() async {
        let thread = OneThread()
        let other = Other()
        let long = Task(executorPreference: thread) {
            var pace = WorkPace()
            let end = ContinuousClock.now + .seconds(10)
            while !other.hasRun.withLock(\.self), .now < end { await pace.pauseIfDue() }
            return other.hasRun.withLock(\.self)
        }
        Task(executorPreference: thread) { other.hasRun.withLock { $0 = true } }
        #expect(await long.value)
    }
}

private final class Other: Sendable {
    let hasRun = Mutex(false)
}

private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
