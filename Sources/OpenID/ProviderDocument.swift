import LindenKernel

/// A document of a provider, such as its metadata: read when it is needed, kept for a time, and read once for all who wait for it.
///
/// After a failure it is not read again for some seconds, so that visits to the sign-in page cannot multiply requests to the provider.
actor ProviderDocument<Value: Sendable> {
    /// After this time the document is read again.
    static var lifetime: Duration { .seconds(3600) }
    /// The time after a failure during which the same failure is given again.
    static var pause: Duration { .seconds(5) }

    private let clock: WallClock
    private let read: @Sendable () async throws -> Value
    private var known: (value: Value, readAt: Timestamp)?
    private var failed: (failure: Failure, at: Timestamp)?
    private var reading: Task<Value, any Error>?

    init(clock: WallClock, read: @escaping @Sendable () async throws -> Value) {
        self.clock = clock
        self.read = read
    }

    /// Returns the document as it was at most some time ago. Fails like the function that reads it.
    func value(notOlderThan age: Duration = lifetime) async throws -> Value {
        let now = clock.now()
        if let known, now < known.readAt + age { return known.value }
        if let failed, now < failed.at + Self.pause { throw failed.failure }
        if let reading { return try await reading.value }
        // Not ended with the request that began it: others may wait, too.
        let task = Task { try await read() }
        reading = task
        defer { reading = nil }
        do {
            let value = try await task.value
            (known, failed) = ((value, now), nil)
            return value
        } catch let failure as Failure {
            failed = (failure, clock.now())
            throw failure
        }
    }
}
