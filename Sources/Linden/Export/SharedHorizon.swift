/// A cache of the watermark, at most one second old, shared by all tails.
actor SharedHorizon {
    private var task: Task<Int64, any Error>?
    private var askedAt = Timestamp(milliseconds: 0)

    /// - Parameter find: determines the watermark; called at most once a second, even if it fails.
    func horizon(at now: Timestamp, _ find: @escaping @Sendable () async throws -> Int64) async throws -> Int64 {
        let age = now.milliseconds - askedAt.milliseconds
        if let task, (0..<1000).contains(age) { return try await task.value }
        let task = Task { try await find() }
        (self.task, askedAt) = (task, now)
        return try await task.value
    }
}
