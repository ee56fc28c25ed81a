import LindenKernel
import LindenServices

/// The pages of shared questions of the last minute. Anyone may read them as often as they like, so each costs the database one answer a
/// minute, and few are made at a time.
actor SharedPages {
    /// The time for which a page is shown again.
    static let lifetime: Duration = .seconds(60)
    /// The most pages that are made at a time.
    static let mostMade = 4
    private static let capacity = 8 << 20

    private var pages = TwoGenerationCache<SharedQuestion.ID, (page: DashboardAnswer, until: Timestamp)>(capacity: capacity)
    private var making: [SharedQuestion.ID: Task<DashboardAnswer, any Error>] = [:]

    /// Returns the page of a question, which is made once for all who wait for it. Fails with `unavailable` if too many others are being made.
    func page(
        of id: SharedQuestion.ID, at now: Timestamp, _ make: @escaping @Sendable () async throws -> DashboardAnswer
    ) async throws -> DashboardAnswer {
        if let known = pages.value(for: id), now < known.until { return known.page }
        if let task = making[id] { return try await task.value }
        guard making.count < Self.mostMade else {
            throw Failure.unavailable("Other shared pages are being made. Please try again in some seconds.")
        }
        // Not ended with the request that began it: others may wait, too.
        let task = Task { try await make() }
        making[id] = task
        defer { making[id] = nil }
        let page = try await task.value
        pages.insert((page, now + Self.lifetime), for: id, cost: page.body.count)
        return page
    }
}
