/// The settled horizon as it was at most a second ago, for all who follow what happens.
actor SharedHorizon {
    private var task: Task<Int64, any Error>?
    private var askedAt = Timestamp(milliseconds: 0)

    /// - Parameter find: is called at most once a second, also where it fails.
    func horizon(at now: Timestamp, _ find: @escaping @Sendable () async throws -> Int64) async throws -> Int64 {
        let age = now.milliseconds - askedAt.milliseconds
        if let task, (0..<1000).contains(age) { return try await task.value }
        let task = Task { try await find() }
        (self.task, askedAt) = (task, now)
        return try await task.value
    }
}
