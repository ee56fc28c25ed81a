import Linden
import LindenKernel
import LindenServices

/// The pages of shared questions of the last minute. Anyone may read them as often as they like, so each costs the database one answer a
/// minute, and few are made at a time.
actor SharedPages {
    /// The time for which a page is shown again.
    static let lifetime: Duration = .seconds(60)
    /// The time for which a failure is.
    static let lifetimeOfFailures: Duration = .seconds(5)
    /// The most pages of an app, and of all, that are made at a time. Most of them wait for the turn of their app.
    static let mostMadeOfApp = 4
    private static let mostMade = 256

    private struct Remembered {
        let page: Result<DashboardAnswer, any Error>
        let until: Timestamp
    }

    private static let capacity = 8 << 20
    private static let bytesOfFailure = 1 << 10

    private var pages = TwoGenerationCache<SharedQuestion.ID, Remembered>(capacity: capacity)
    private var making: [SharedQuestion.ID: Task<DashboardAnswer, any Error>] = [:]
    private var countByApp: [App.ID: Int] = [:]
    private let threads: (any TaskExecutor)?

    /// - Parameter threads: those on which pages are made; nil for those that all tasks share.
    init(on threads: (any TaskExecutor)? = nil) {
        self.threads = threads
    }

    /// Returns the page of an app's question, which is made once for all who wait for it. Fails with `unavailable` if too many others are being
    /// made.
    func page(
        of id: SharedQuestion.ID, _ app: App.ID, at now: Timestamp, _ make: @escaping @Sendable () async throws -> DashboardAnswer
    ) async throws -> DashboardAnswer {
        if let known = pages.value(for: id), now < known.until { return try known.page.get() }
        if let task = making[id] { return try await task.value }
        guard making.count < Self.mostMade, countByApp[app, default: 0] < Self.mostMadeOfApp else {
            throw Failure.unavailable("Other shared pages are being made. Please try again in some seconds.")
        }
        // Not ended with the request that began it: others may wait, too.
        let task = Task(executorPreference: threads) { try await make() }
        making[id] = task
        countByApp[app, default: 0] += 1
        defer {
            making[id] = nil
            countByApp[app] = countByApp[app].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        let result = await task.result
        switch result {
        case .success(let page): pages.insert(Remembered(page: result, until: now + Self.lifetime), for: id, cost: page.body.count)
        case .failure:
            pages.insert(
                Remembered(page: result, until: now + Self.lifetimeOfFailures), for: id, cost: Self.bytesOfFailure)
        }
        return try result.get()
    }
}
