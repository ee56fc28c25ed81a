/// A cache of one value, at most a second old, shared by all callers. The value is determined at most once a second, however many callers
/// ask at a time.
package actor SecondCache<Value: Sendable> {
    private var task: Task<Value, any Error>?
    private var askedAt = Timestamp(milliseconds: 0)

    package init() {}

    /// Returns the value, or fails as its determination did.
    ///
    /// - Parameter determine: called at most once a second, even if it fails.
    package func value(
        at now: Timestamp, _ determine: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let age = now.milliseconds - askedAt.milliseconds
        if let task, (0..<1000).contains(age) { return try await task.value }
        let task = Task { try await determine() }
        (self.task, askedAt) = (task, now)
        return try await task.value
    }
}
