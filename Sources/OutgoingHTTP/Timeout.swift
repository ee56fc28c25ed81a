/// Runs `work` and returns its result. Throws ``FetchError/timedOut`` after `timeout`; the work must respond to cancellation.
func within<Value: Sendable>(_ timeout: Duration, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask(operation: work)
        group.addTask {
            try await Task.sleep(for: timeout)
            throw FetchError.timedOut
        }
        guard let value = try await group.next() else { throw CancellationError() }
        return value
    }
}
