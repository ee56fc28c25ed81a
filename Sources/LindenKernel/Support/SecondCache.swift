import Synchronization

/// A cache of one value, at most a second old, shared by all callers. The value is determined at most once a second, however many callers
/// ask at a time, and not again while a former determination has not ended.
package actor SecondCache<Value: Sendable> {
    private var determination: Task<Value, any Error>?
    /// What all callers wait for: the determination, or its failure after a time.
    private var waiting: Task<Value, any Error>?
    private var askedAt = Timestamp(milliseconds: 0)
    private var isDetermining = false
    private var isWaiting = false

    package init() {}

    /// Returns the value, or fails as its determination did.
    ///
    /// - Parameter determine: called at most once a second, even if it fails.
    package func value(
        at now: Timestamp, _ determine: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await current(at: now, waiting: { try await $0.value }, determine).value
    }

    /// Returns the value. Fails as its determination did, or with a failure if that takes longer than `limit`, such as a look-up in a
    /// database that does not answer. It goes on then, and those who ask later wait for it. All who wait share one timer.
    package func value(
        at now: Timestamp, within limit: Duration, orFail failure: Failure,
        _ determine: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await current(at: now, waiting: { try await $0.value(within: limit, orFail: failure) }, determine).value
    }

    /// - Parameter wait: returns the value of the determination to all callers.
    private func current(
        at now: Timestamp, waiting wait: @escaping @Sendable (Task<Value, any Error>) async throws -> Value,
        _ determine: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        let age = now.milliseconds - askedAt.milliseconds
        if let determination, isDetermining || (0..<1000).contains(age) {
            if let waiting, isWaiting || !isDetermining { return waiting }
            return self.wait(for: determination, wait)
        }
        let new = Task {
            defer { isDetermining = false }
            return try await determine()
        }
        (determination, askedAt, isDetermining) = (new, now, true)
        return self.wait(for: new, wait)
    }

    private func wait(
        for determination: Task<Value, any Error>, _ wait: @escaping @Sendable (Task<Value, any Error>) async throws -> Value
    ) -> Task<Value, any Error> {
        let new = Task {
            defer { isWaiting = false }
            return try await wait(determination)
        }
        (waiting, isWaiting) = (new, true)
        return new
    }
}

extension Task where Failure == any Error {
    /// Returns the value of a task that cannot be cancelled, such as one that waits for a thread. Fails if that takes longer than `limit`; the
    /// task goes on.
    fileprivate func value(within limit: Duration, orFail failure: LindenKernel.Failure) async throws -> Success {
        try await withCheckedThrowingContinuation { continuation in
            let first = Mutex<CheckedContinuation<Success, any Error>?>(continuation)
            let resume: @Sendable (Result<Success, any Error>) -> Void = { result in
                let waiting = first.withLock { $0.take() }
                waiting?.resume(with: result)
            }
            Task<Void, Never> { resume(await result) }
            Task<Void, Never> {
                try? await Task<Never, Never>.sleep(for: limit)
                resume(.failure(failure))
            }
        }
    }
}
