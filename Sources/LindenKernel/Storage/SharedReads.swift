import Synchronization

/// Reads that are made once for all who ask for the same at the same time.
package final class SharedReads<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let tasks = Mutex<[Key: Task<Value, any Error>]>([:])

    package init() {}

    /// Returns what a read returns: one that has begun for the key, or a new one. It does not end with the task that began it, because others may
    /// wait for it.
    package func value(_ key: Key, _ read: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = tasks.withLock { tasks in
            if let task = tasks[key] { return task }
            let task = Task { [self] in
                defer { _ = self.tasks.withLock { $0.removeValue(forKey: key) } }
                return try await read()
            }
            tasks[key] = task
            return task
        }
        return try await task.value
    }
}
